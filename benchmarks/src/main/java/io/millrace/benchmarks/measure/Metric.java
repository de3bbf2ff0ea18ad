package io.millrace.benchmarks.measure;

/** A figure's name and unit. The ratio that stands beside it is ours divided by theirs, whichever way is better. */
public record Metric(String name, String unit) {
    public static Metric of(String name, String unit) {
        return new Metric(name, unit);
    }

    @Override
    public String toString() {
        return unit.isEmpty() ? name : name + ", " + unit;
    }
}
