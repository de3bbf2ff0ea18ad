package io.millrace.benchmarks.workload;

import java.time.Duration;

/**
 * How much of everything.
 *
 * @param rounds how often each side is measured
 * @param share of the full amount of records and of the full time
 */
public record Scale(int rounds, double share) {
    public static final Scale FULL = new Scale(3, 1);
    /** Shows that everything runs; its figures mean nothing. */
    public static final Scale QUICK = new Scale(1, 0.01);

    public int of(int full) {
        return Math.max(1, (int) (full * share));
    }

    public Duration of(Duration full) {
        return Duration.ofMillis(Math.max(500, (long) (full.toMillis() * share)));
    }

    public boolean isQuick() {
        return share < 1;
    }
}
