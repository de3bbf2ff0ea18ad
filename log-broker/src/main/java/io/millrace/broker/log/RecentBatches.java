package io.millrace.broker.log;

import java.util.Arrays;

/**
 * The newest batches of the active segment, every one of them, so that readers near the end need neither index nor
 * disk to find their place. Entries are only added; a full array is left to whoever reads it and replaced.
 */
final class RecentBatches {
    private static final int KEPT = 256;
    private static final int FIRST = 8;
    private static final int[] EMPTY = {};

    private int[] lastOffsets = EMPTY;
    private int[] positions = EMPTY;
    private int count;

    void add(int relativeLastOffset, int position) {
        if (count == positions.length) {
            int kept = Math.min(count, KEPT);
            int capacity = Math.min(2 * KEPT, Math.max(FIRST, 2 * count));
            lastOffsets = newest(lastOffsets, kept, capacity);
            positions = newest(positions, kept, capacity);
            count = kept;
        }
        lastOffsets[count] = relativeLastOffset;
        positions[count] = position;
        count++;
    }

    private int[] newest(int[] from, int kept, int capacity) {
        int[] into = new int[capacity];
        System.arraycopy(from, count - kept, into, 0, kept);
        return into;
    }

    void clear() {
        lastOffsets = EMPTY;
        positions = EMPTY;
        count = 0;
    }

    View view() {
        return new View(lastOffsets, positions, count);
    }

    /** As of one moment. */
    record View(int[] lastOffsets, int[] positions, int count) {
        static final View NONE = new View(new int[0], new int[0], 0);
        static final int UNKNOWN = -1;

        /** The position of the batch that contains an offset or is the first behind it. */
        int positionOf(long relativeOffset, int endPosition) {
            if (count == 0 || (relativeOffset < lastOffsets[0] && positions[0] > 0)) {
                return UNKNOWN;
            }
            int key = (int) Math.min(relativeOffset, Integer.MAX_VALUE);
            int found = Arrays.binarySearch(lastOffsets, 0, count, key);
            int index = found >= 0 ? found : -found - 1;
            return index == count ? endPosition : positions[index];
        }

        /** The last start of a batch at or before a position. */
        int startAtOrBefore(int position) {
            if (count == 0 || position < positions[0]) {
                return UNKNOWN;
            }
            int found = Arrays.binarySearch(positions, 0, count, position);
            return found >= 0 ? positions[found] : positions[-found - 2];
        }
    }
}
