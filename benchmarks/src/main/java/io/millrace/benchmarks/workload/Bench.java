package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.measure.Metric;
import io.millrace.benchmarks.measure.Results;
import io.millrace.benchmarks.measure.Samples;
import io.millrace.benchmarks.side.Side;
import io.millrace.benchmarks.side.Sides;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a workload is given: sides, scale, a folder, and where its figures go. */
public final class Bench {
    /** Something measured on one side. */
    @FunctionalInterface
    public interface Measurement {
        void on(Side side) throws Exception;
    }

    private final String workload;
    private final Scale scale;
    private final Sides sides;
    private final Results results;
    private final Path folder;
    private int folders;

    public Bench(String workload, Scale scale, Sides sides, Results results, Path folder) {
        this.workload = workload;
        this.scale = scale;
        this.sides = sides;
        this.results = results;
        this.folder = folder;
    }

    /** The same for other sides. */
    Bench on(Sides others) {
        return new Bench(workload, scale, others, results, folder);
    }

    public Scale scale() {
        return scale;
    }

    public Sides sides() {
        return sides;
    }

    /** All sides in turn, as often as the scale says: A B A B, so that what the machine does meanwhile meets both. */
    public void inTurn(Measurement measurement) throws Exception {
        for (int round = 0; round < scale.rounds(); round++) {
            onEach(measurement);
        }
    }

    /** Once on every side: preparation, or warming up. */
    public void onEach(Measurement measurement) throws Exception {
        for (Side side : sides.all()) {
            measurement.on(side);
        }
    }

    public void add(String testCase, Metric metric, Side side, double value) {
        add(testCase, metric, side.label(), value);
    }

    public void add(String testCase, Metric metric, String label, double value) {
        results.add(workload, testCase, metric, label, value);
        System.out.printf("  %s · %s · %s: %s%n", testCase, metric, label, Samples.text(value));
    }

    /** For something that this run cannot measure, and why. */
    public void leaveOut(String what, String why) {
        System.out.printf("  %s is left out: %s%n", what, why);
    }

    /** A new one every time. */
    public Path newFolder(String name) {
        try {
            return Files.createDirectories(folder.resolve("%s-%s-%d".formatted(workload, name, folders++)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
