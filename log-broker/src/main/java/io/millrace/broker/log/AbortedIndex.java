package io.millrace.broker.log;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The aborted transactions whose marker is in a segment, in the order of the markers. */
record AbortedIndex(Entries entries) {
    static final int ENTRY_BYTES = 34;
    private static final short VERSION = 0;

    /**
     * One aborted transaction.
     *
     * @param lastOffset of the marker
     * @param lastStableOffset below which, once this marker was there, every transaction had ended
     */
    record Entry(long producerId, long firstOffset, long lastOffset, long lastStableOffset) {

        static Entry of(ByteBuffer bytes) {
            return new Entry(bytes.getLong(2), bytes.getLong(10), bytes.getLong(18), bytes.getLong(26));
        }

        void addTo(EntryFile file) {
            file.add()
                    .putShort(VERSION)
                    .putLong(producerId)
                    .putLong(firstOffset)
                    .putLong(lastOffset)
                    .putLong(lastStableOffset);
        }
    }

    List<Entry> all() {
        List<Entry> all = new ArrayList<>();
        for (int i = 0; i < entries.count(); i++) {
            ByteBuffer bytes = entries.get(i);
            if (bytes != null) {
                all.add(Entry.of(bytes));
            }
        }
        return all;
    }

    /** Whether an entry can be of a transaction whose marker is in the segment that begins at an offset. */
    static boolean isPlausible(ByteBuffer bytes, long baseOffset) {
        Entry entry = Entry.of(bytes);
        return entry.lastOffset() >= baseOffset && entry.firstOffset() <= entry.lastOffset();
    }

    static long producerId(ByteBuffer entry) {
        return entry.getLong(2);
    }

    static long lastOffset(ByteBuffer entry) {
        return entry.getLong(18);
    }

    /**
     * Adds the transactions that reach into a range.
     *
     * @return whether those in later segments can be left aside
     */
    boolean collect(long fromOffset, long toOffset, List<Entry> into) {
        int count = entries.count();
        for (int i = entries.countWhere(entry -> lastOffset(entry) < fromOffset); i < count; i++) {
            ByteBuffer bytes = entries.get(i);
            if (bytes == null) {
                return true;
            }
            Entry entry = Entry.of(bytes);
            if (entry.firstOffset() < toOffset) {
                into.add(entry);
            }
            if (entry.lastStableOffset() >= toOffset) {
                return true;
            }
        }
        return false;
    }
}
