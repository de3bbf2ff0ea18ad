package io.millrace.broker.log;

import java.nio.ByteBuffer;

/** Where batches stand in a segment: for some of them, the last offset (relative to the segment) and the position. */
record OffsetIndex(long baseOffset, Entries entries) {
    static final int ENTRY_BYTES = 8;

    static void add(EntryFile file, int relativeLastOffset, int position) {
        file.add().putInt(relativeLastOffset).putInt(position);
    }

    static int relativeOffset(ByteBuffer entry) {
        return entry.getInt(0);
    }

    static int position(ByteBuffer entry) {
        return entry.getInt(4);
    }

    /** A position at or before the batch that contains an offset: of an indexed batch, or the segment's start. */
    int atOrBefore(long offset) {
        long relative = offset - baseOffset;
        ByteBuffer entry = entries.lastWhere(candidate -> relativeOffset(candidate) <= relative);
        return entry == null ? 0 : position(entry);
    }

    /** The last indexed batch that starts at or before a position. */
    int atOrBeforePosition(int position) {
        ByteBuffer entry = entries.lastWhere(candidate -> position(candidate) <= position);
        return entry == null ? 0 : position(entry);
    }
}
