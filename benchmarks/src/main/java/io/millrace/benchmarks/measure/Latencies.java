package io.millrace.benchmarks.measure;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Durations of many single things, from any thread. */
public final class Latencies {
    private static final double NANOS_A_MS = 1e6;

    private final Histogram histogram = new ConcurrentHistogram(3);

    public void add(long nanos) {
        histogram.recordValue(Math.max(0, nanos));
    }

    public long count() {
        return histogram.getTotalCount();
    }

    /** @param percent such as 99.9 */
    public double percentileMs(double percent) {
        return histogram.getValueAtPercentile(percent) / NANOS_A_MS;
    }
}
