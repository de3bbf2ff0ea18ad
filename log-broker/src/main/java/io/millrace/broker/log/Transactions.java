package io.millrace.broker.log;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Which transactions keep readers of committed data back: the open ones, and those whose marker the replicas do not
 * have yet.
 */
final class Transactions {
    private static final long OPEN = Long.MAX_VALUE;

    /** First offset of each to the offset of its marker. */
    private final NavigableMap<Long, Long> unstable = new TreeMap<>();
    /** The ended ones among them, in the order of their markers. */
    private final Deque<Ended> ended = new ArrayDeque<>();

    private record Ended(long firstOffset, long markerOffset) {}

    void opened(long firstOffset) {
        unstable.put(firstOffset, OPEN);
    }

    void ended(long firstOffset, long markerOffset) {
        unstable.put(firstOffset, markerOffset);
        ended.add(new Ended(firstOffset, markerOffset));
    }

    /** The first offset of those that are open; or else the given one. */
    long firstOpenOr(long otherwise) {
        for (var transaction : unstable.entrySet()) {
            if (transaction.getValue() == OPEN) {
                return transaction.getKey();
            }
        }
        return otherwise;
    }

    /**
     * {@link Long#MAX_VALUE} where there is none.
     *
     * @param highWatermark never lower than before
     */
    long firstUnstable(long highWatermark) {
        while (!ended.isEmpty() && ended.peek().markerOffset() < highWatermark) {
            unstable.remove(ended.remove().firstOffset());
        }
        return unstable.isEmpty() ? Long.MAX_VALUE : unstable.firstKey();
    }

    void clear() {
        unstable.clear();
        ended.clear();
    }
}
