package io.millrace.benchmarks.workload;

/** Nanoseconds, as the seconds that figures are given in. */
final class Seconds {
    private static final double NANOS = 1e9;

    private Seconds() {}

    static double since(long startNanos) {
        return of(System.nanoTime() - startNanos);
    }

    static double of(long nanos) {
        return nanos / NANOS;
    }
}
