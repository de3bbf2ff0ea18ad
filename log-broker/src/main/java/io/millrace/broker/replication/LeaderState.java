package io.millrace.broker.replication;

import io.millrace.kernel.Check;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/**
 * What the leader of a partition knows of its replicas. A record is committed, and below the high watermark, once every
 * in-sync replica has it.
 *
 * <p>The in-sync set is agreed with the controller (KIP-497): the leader proposes, and until it has the answer it counts
 * with whichever is larger, so that what it promises holds either way.
 *
 * <pre>
 * agreed   --propose-->  proposed
 * proposed --the partition's next version, this change or another-->  agreed
 * proposed --refused for good-->  agreed, with the set from before
 * </pre>
 */
public final class LeaderState {
    private static final int NONE = -1;

    private final int self;
    private final int leaderEpoch;
    private final long epochStart;
    private final Map<Integer, Follower> followers = new TreeMap<>();
    private int partitionEpoch;
    private SortedSet<Integer> inSync;
    private Proposal proposed;
    private int replicas;
    private int minInSync;
    private long ownEnd;
    private long highWatermark;
    private long lookedMs;
    private IntPredicate throttled = follower -> false;

    /**
     * @param members of the partition as the controller knows them
     * @param highWatermark what was known to be committed when this leader was chosen
     * @param epochStart the end of the leader's own log; everything below it will be committed before anything new
     * @param ownEnd how much of it counts as stored
     * @param minInSync {@code min.insync.replicas}; see {@link #require}
     */
    public LeaderState(
            int self,
            int leaderEpoch,
            Members members,
            long highWatermark,
            long epochStart,
            long ownEnd,
            int minInSync,
            long nowMs) {
        this.self = self;
        this.leaderEpoch = leaderEpoch;
        this.highWatermark = highWatermark;
        this.epochStart = epochStart;
        this.ownEnd = ownEnd;
        this.minInSync = minInSync;
        this.lookedMs = nowMs;
        agreed(members, nowMs);
    }

    public int leaderEpoch() {
        return leaderEpoch;
    }

    public int partitionEpoch() {
        return partitionEpoch;
    }

    public long highWatermark() {
        return highWatermark;
    }

    /** Whether everything that was in the log when this leader was chosen is committed. */
    public boolean caughtUpWithPast() {
        return highWatermark >= epochStart;
    }

    public SortedSet<Integer> inSync() {
        return new TreeSet<>(inSync);
    }

    /**
     * What the controller has decided, in answer to a proposal or not. Older news than what is known is ignored.
     *
     * @return whether other replicas are in sync than before
     */
    public boolean agreed(Members members, long nowMs) {
        if (inSync != null && members.partitionEpoch() <= partitionEpoch) {
            return false;
        }
        Check.that(
                members.inSync().contains(self),
                () -> "leader " + self + " is not in its own in-sync set " + members.inSync());
        SortedSet<Integer> before = inSync;
        partitionEpoch = members.partitionEpoch();
        inSync = new TreeSet<>(members.inSync());
        proposed = null;
        replicas = members.replicas().size();
        followers.keySet().retainAll(members.replicas());
        for (int replica : members.replicas()) {
            if (replica != self) {
                Follower follower = followers.computeIfAbsent(replica, unknown -> new Follower(ownEnd, nowMs));
                follower.inSync(inSync.contains(replica), nowMs);
            }
        }
        advance();
        return !inSync.equals(before);
    }

    /**
     * How many replicas must be in sync for anything to be committed, if there are that many. Below that, replicas that
     * left the set are still eligible to lead (KIP-966), which they may only be as long as nothing is committed without
     * them.
     */
    public void require(int least) {
        minInSync = least;
        advance();
    }

    /**
     * Which followers may be throttled while they are not in sync: that one of those asks rarely, or for the same again, is
     * not its fault.
     */
    public void throttle(IntPredicate followers) {
        throttled = followers;
    }

    /** The leader's own log is stored up to an offset. */
    public void stored(long end, long nowMs) {
        if (end > ownEnd) {
            ownEnd = end;
            followers.values().forEach(follower -> follower.hasSomethingToAskFor(end, nowMs));
            advance();
        }
    }

    /**
     * A follower asks for what is at an offset, so it has everything below.
     *
     * @param brokerEpoch under which the follower's broker is registered: one that restarted is another one
     * @param leaderEnd where the log ends now, stored or not
     */
    public void fetched(int replica, long brokerEpoch, long offset, long leaderEnd, long nowMs) {
        Follower follower = followers.get(replica);
        if (follower != null) {
            follower.fetched(brokerEpoch, offset, leaderEnd, nowMs);
            advance();
        }
    }

    private void advance() {
        if (inSync == null || inSync.size() < least()) {
            return;
        }
        long committed = ownEnd;
        for (Map.Entry<Integer, Follower> entry : followers.entrySet()) {
            if (counts(entry.getKey())) {
                committed = Math.min(committed, entry.getValue().end());
            }
        }
        highWatermark = Math.max(highWatermark, committed);
    }

    private int least() {
        return Math.min(minInSync, replicas);
    }

    private boolean counts(int replica) {
        boolean joining = proposed != null && proposed.inSync().containsKey(replica);
        return joining || inSync.contains(replica);
    }

    /** Whether acks=all can be promised now. */
    public boolean enoughInSync(int required) {
        return inSync.size() >= required;
    }

    /**
     * A change of the in-sync set that should be made; null where it is right, or a proposal is under way.
     *
     * @param mayJoin whether a broker is fit to be in sync
     */
    public Proposal wanted(LagLimits limits, IntPredicate mayJoin, long nowMs) {
        look(limits, nowMs);
        if (proposed != null) {
            return null;
        }
        int stalled = sparable(limits, nowMs);
        if (!differs(limits, stalled, mayJoin, nowMs)) {
            return null;
        }
        SortedMap<Integer, Long> wanted = new TreeMap<>();
        wanted.put(self, Follower.UNKNOWN_BROKER_EPOCH);
        followers.forEach((replica, follower) -> {
            if (shouldBeInSync(replica, follower, limits, stalled, mayJoin, nowMs)) {
                wanted.put(replica, follower.brokerEpoch());
            }
        });
        if (stalled != NONE) {
            followers.get(stalled).leftOut(limits, nowMs);
        }
        return new Proposal(leaderEpoch, partitionEpoch, wanted);
    }

    /** Whether a replica that is in sync, for which all acknowledgements wait, has not asked for anything for a while. */
    public boolean waitsForSilence(LagLimits limits, long nowMs) {
        for (Map.Entry<Integer, Follower> entry : followers.entrySet()) {
            if (inSync.contains(entry.getKey()) && entry.getValue().quietMs(nowMs) > limits.stallMs()) {
                return true;
            }
        }
        return false;
    }

    /** A leader that has slept, and not looked for long, cannot tell whose silence that was. */
    private void look(LagLimits limits, long nowMs) {
        boolean slept = nowMs - lookedMs > limits.stallMs() / 2;
        lookedMs = nowMs;
        for (Map.Entry<Integer, Follower> entry : followers.entrySet()) {
            if (slept) {
                entry.getValue().forgive(nowMs);
            } else if (!inSync.contains(entry.getKey()) && !throttled.test(entry.getKey())) {
                entry.getValue().proveItself(limits, nowMs);
            }
        }
    }

    /** The in-sync replica that has stalled for longest, if there are enough without it; else {@link #NONE}. */
    private int sparable(LagLimits limits, long nowMs) {
        int worst = NONE;
        if (inSync.size() <= enoughToSpare()) {
            return worst;
        }
        for (Map.Entry<Integer, Follower> entry : followers.entrySet()) {
            Follower follower = entry.getValue();
            boolean worse = worst == NONE
                    || follower.silentMs(nowMs) > followers.get(worst).silentMs(nowMs);
            if (inSync.contains(entry.getKey()) && follower.stalls(limits, nowMs) && worse) {
                worst = entry.getKey();
            }
        }
        return worst;
    }

    /** A majority, which a set of stalled ones cannot be taken for, and as many as acknowledgements need. */
    private int enoughToSpare() {
        return Math.max(least(), replicas / 2 + 1);
    }

    /** Asked with every fetch of a follower, so it makes nothing. */
    private boolean differs(LagLimits limits, int stalled, IntPredicate mayJoin, long nowMs) {
        for (Map.Entry<Integer, Follower> entry : followers.entrySet()) {
            int replica = entry.getKey();
            if (shouldBeInSync(replica, entry.getValue(), limits, stalled, mayJoin, nowMs)
                    != inSync.contains(replica)) {
                return true;
            }
        }
        return false;
    }

    private boolean shouldBeInSync(
            int replica, Follower follower, LagLimits limits, int stalled, IntPredicate mayJoin, long nowMs) {
        if (inSync.contains(replica)) {
            return replica != stalled && !follower.isBehind(ownEnd, limits, nowMs);
        }
        boolean needed = inSync.size() < enoughToSpare();
        return follower.hasAll(highWatermark, epochStart)
                && (needed || follower.hasProvedItself(limits, nowMs))
                && mayJoin.test(replica);
    }

    /** Counts with a proposal from now on, before the controller gets it. */
    public void propose(Proposal proposal) {
        Check.that(proposed == null, () -> "a proposal of " + proposed + " is under way");
        proposed = proposal;
    }

    /** The controller has refused the proposal for good. */
    public void refused(Proposal proposal) {
        if (proposal.equals(proposed)) {
            proposed = null;
            advance();
        }
    }

    /** Whether the answer to a proposal is still of interest. */
    public boolean awaits(Proposal proposal) {
        return proposal.equals(proposed);
    }

    /**
     * A change of the in-sync set.
     *
     * @param partitionEpoch the version of the partition that it changes
     * @param inSync broker ids, with the epochs under which they are registered; -1 for whichever
     */
    public record Proposal(int leaderEpoch, int partitionEpoch, SortedMap<Integer, Long> inSync) {}

    /** Who replicates a partition, in the version of {@code partitionEpoch}. */
    public record Members(int partitionEpoch, Collection<Integer> replicas, Collection<Integer> inSync) {}
}
