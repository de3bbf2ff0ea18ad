package io.millrace.benchmarks.measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The values of one figure on one side, one a round. */
public final class Samples {
    private final List<Double> sorted = new ArrayList<>();

    void add(double value) {
        sorted.add(value);
        Collections.sort(sorted);
    }

    public int count() {
        return sorted.size();
    }

    public double min() {
        return sorted.get(0);
    }

    public double max() {
        return sorted.get(sorted.size() - 1);
    }

    public double median() {
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }

    /** Median, and the range if there is more than one value. */
    @Override
    public String toString() {
        return sorted.size() == 1 ? text(median()) : "%s [%s – %s]".formatted(text(median()), text(min()), text(max()));
    }

    /** Three digits are more than these figures are worth. */
    public static String text(double value) {
        double size = Math.abs(value);
        String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f";
        return String.format(Locale.ROOT, format, value);
    }
}
