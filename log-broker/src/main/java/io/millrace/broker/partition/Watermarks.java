package io.millrace.broker.partition;

import io.millrace.broker.log.PartitionLog;

/** Up to where a replica's log is stored here, and up to where it is committed: stored on every in-sync replica. */
final class Watermarks {
    private final PartitionLog log;
    private long stored;
    private long high;

    Watermarks(PartitionLog log) {
        this.log = log;
        stored = log.endOffset();
        high = log.startOffset();
    }

    long stored() {
        return stored;
    }

    boolean isAllStored() {
        return stored == log.endOffset();
    }

    void allStored() {
        stored = log.endOffset();
    }

    void storedUpTo(long offset) {
        stored = Math.max(stored, offset);
    }

    /** The high watermark. */
    long high() {
        return high;
    }

    void high(long offset) {
        high = offset;
    }

    /** The log has lost its end, which is on the disk for good. */
    void cut() {
        stored = log.endOffset();
        high = Math.min(high, log.endOffset());
    }
}
