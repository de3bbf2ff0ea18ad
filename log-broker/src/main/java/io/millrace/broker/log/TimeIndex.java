package io.millrace.broker.log;

import java.nio.ByteBuffer;

/** How time grows in a segment: the largest timestamp so far, and the last offset of the batch that brought it. */
record TimeIndex(long baseOffset, Entries entries) {
    static final int ENTRY_BYTES = 12;

    static void add(EntryFile file, long timestamp, int relativeOffset) {
        file.add().putLong(timestamp).putInt(relativeOffset);
    }

    static long timestamp(ByteBuffer entry) {
        return entry.getLong(0);
    }

    static int relativeOffset(ByteBuffer entry) {
        return entry.getInt(8);
    }

    /** An offset below which no record is as late as the timestamp. */
    long firstCandidate(long timestamp) {
        ByteBuffer entry = entries.lastWhere(candidate -> timestamp(candidate) < timestamp);
        return entry == null ? baseOffset : baseOffset + relativeOffset(entry) + 1;
    }
}
