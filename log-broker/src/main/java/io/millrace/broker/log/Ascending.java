package io.millrace.broker.log;

/** Accepts numbers from 0 up to a limit for as long as each is larger than the one before. */
final class Ascending {
    private final long limit;
    private long previous = -1;

    Ascending(long limit) {
        this.limit = limit;
    }

    boolean accepts(long value) {
        boolean ascends = value > previous && value < limit;
        previous = value;
        return ascends;
    }
}
