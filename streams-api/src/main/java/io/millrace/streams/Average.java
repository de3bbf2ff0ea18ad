package io.millrace.streams;

/** A mean that can take one more value. */
public record Average(long count, double sum) {
    static final Average NONE = new Average(0, 0);

    public double mean() {
        return count == 0 ? Double.NaN : sum / count;
    }

    Average with(double value) {
        return new Average(count + 1, sum + value);
    }
}
