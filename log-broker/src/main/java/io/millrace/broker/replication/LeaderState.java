package io.millrace.broker.replication;

import io.millrace.kernel.Check;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the leader of a partition knows of its replicas. A record is committed, and below the high watermark, once
 * every in-sync replica has it.
 */
public final class LeaderState {
    private final int self;
    private final int leaderEpoch;
    private final SortedSet<Integer> inSync;
    private final Map<Integer, Long> ends = new TreeMap<>();
    private long highWatermark;

    /**
     * @param highWatermark what was known to be committed when this leader was chosen
     * @param ownEnd the end of the leader's own log, as far as it counts as stored
     */
    public LeaderState(int self, int leaderEpoch, SortedSet<Integer> inSync, long highWatermark, long ownEnd) {
        Check.that(inSync.contains(self), () -> "leader " + self + " is not in its own in-sync set " + inSync);
        this.self = self;
        this.leaderEpoch = leaderEpoch;
        this.inSync = new TreeSet<>(inSync);
        this.highWatermark = highWatermark;
        inSync.forEach(replica -> ends.put(replica, highWatermark));
        stored(ownEnd);
    }

    public int leaderEpoch() {
        return leaderEpoch;
    }

    public long highWatermark() {
        return highWatermark;
    }

    /** The leader's own log is stored up to an offset. @return whether the high watermark moved */
    public boolean stored(long ownEnd) {
        return replicated(self, ownEnd);
    }

    /** A replica has everything below an offset. @return whether the high watermark moved */
    public boolean replicated(int replica, long end) {
        ends.merge(replica, end, Math::max);
        long committed = Long.MAX_VALUE;
        for (int member : inSync) {
            committed = Math.min(committed, ends.get(member));
        }
        if (committed <= highWatermark) {
            return false;
        }
        highWatermark = committed;
        return true;
    }

    /** Whether acks=all can be promised now. */
    public boolean enoughInSync(int required) {
        return inSync.size() >= required;
    }
}
