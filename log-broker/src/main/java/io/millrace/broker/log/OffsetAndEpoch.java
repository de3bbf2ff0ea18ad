package io.millrace.broker.log;

/** Where a leader epoch ends; both -1 where the log does not know. */
public record OffsetAndEpoch(long offset, int epoch) {
    public static final OffsetAndEpoch UNKNOWN = new OffsetAndEpoch(-1, -1);
}
