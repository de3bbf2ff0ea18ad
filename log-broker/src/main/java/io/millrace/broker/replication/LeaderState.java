package io.millrace.broker.replication;

import io.millrace.kernel.Check;
import java.util.Collection;
import java.util.List;
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
    private static final long UNKNOWN_BROKER_EPOCH = -1;

    private final int self;
    private final int leaderEpoch;
    private final long epochStart;
    private final Map<Integer, Follower> followers = new TreeMap<>();
    private int partitionEpoch;
    private SortedSet<Integer> inSync;
    private int required;
    private Proposal proposed;
    private long ownEnd;
    private long highWatermark;

    /**
     * @param members of the partition as the controller knows them
     * @param highWatermark what was known to be committed when this leader was chosen
     * @param epochStart the end of the leader's own log; everything below it will be committed before anything new
     * @param ownEnd how much of it counts as stored
     */
    public LeaderState(
            int self, int leaderEpoch, Members members, long highWatermark, long epochStart, long ownEnd, long nowMs) {
        this.self = self;
        this.leaderEpoch = leaderEpoch;
        this.highWatermark = highWatermark;
        this.epochStart = epochStart;
        this.ownEnd = ownEnd;
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

    /** What the controller has decided, in answer to a proposal or not. Older news than what is known is ignored. */
    public void agreed(Members members, long nowMs) {
        required = Math.min(members.minInSync(), members.replicas().size());
        if (inSync != null && members.partitionEpoch() <= partitionEpoch) {
            advance();
            return;
        }
        Check.that(
                members.inSync().contains(self),
                () -> "leader " + self + " is not in its own in-sync set " + members.inSync());
        partitionEpoch = members.partitionEpoch();
        inSync = new TreeSet<>(members.inSync());
        proposed = null;
        followers.keySet().retainAll(members.replicas());
        for (int replica : members.replicas()) {
            if (replica != self) {
                followers.computeIfAbsent(replica, unknown -> new Follower(nowMs));
            }
        }
        advance();
    }

    /** The leader's own log is stored up to an offset. */
    public void stored(long end) {
        ownEnd = Math.max(ownEnd, end);
        advance();
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

    /**
     * While too few are in sync nothing more is committed: the next leader may be one that was in sync before (KIP-966),
     * and what it lacks must not have been seen by anybody.
     */
    private void advance() {
        if (inSync == null || inSync.size() < required) {
            return;
        }
        long committed = ownEnd;
        for (Map.Entry<Integer, Follower> entry : followers.entrySet()) {
            if (counts(entry.getKey())) {
                committed = Math.min(committed, entry.getValue().end);
            }
        }
        highWatermark = Math.max(highWatermark, committed);
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
     * @param maxLagMs for how long a replica may be behind
     * @param mayJoin whether a broker is fit to be in sync
     */
    public Proposal wanted(long maxLagMs, IntPredicate mayJoin, long nowMs) {
        if (proposed != null) {
            return null;
        }
        SortedMap<Integer, Long> wanted = new TreeMap<>();
        wanted.put(self, UNKNOWN_BROKER_EPOCH);
        followers.forEach((replica, follower) -> {
            boolean stays = inSync.contains(replica) && !follower.isBehind(ownEnd, maxLagMs, nowMs);
            boolean joins = !inSync.contains(replica) && follower.hasCommitted() && mayJoin.test(replica);
            if (stays || joins) {
                wanted.put(replica, follower.brokerEpoch);
            }
        });
        return wanted.keySet().equals(inSync) ? null : new Proposal(leaderEpoch, partitionEpoch, wanted);
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

    /** Who has not got what an acknowledgement at an offset waits for. */
    public List<Integer> missing(long endOffset) {
        return followers.entrySet().stream()
                .filter(entry -> inSync.contains(entry.getKey()) && entry.getValue().end < endOffset)
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * A change of the in-sync set.
     *
     * @param partitionEpoch the version of the partition that it changes
     * @param inSync broker ids, with the epochs under which they are registered; -1 for whichever
     */
    public record Proposal(int leaderEpoch, int partitionEpoch, SortedMap<Integer, Long> inSync) {}

    /**
     * Who replicates a partition, in the version of {@code partitionEpoch}.
     *
     * @param minInSync how many have to be in sync for anything to be committed; at most all replicas
     */
    public record Members(
            int partitionEpoch, Collection<Integer> replicas, Collection<Integer> inSync, int minInSync) {}

    /** A replica that fetches. */
    private final class Follower {
        private long brokerEpoch = UNKNOWN_BROKER_EPOCH;
        private long end = -1;
        private long fetchedMs;
        private long leaderEndThen;
        private long caughtUpMs;

        Follower(long nowMs) {
            fetchedMs = nowMs;
            caughtUpMs = nowMs;
        }

        void fetched(long epoch, long offset, long leaderEnd, long nowMs) {
            brokerEpoch = epoch;
            if (offset >= leaderEnd) {
                caughtUpMs = nowMs;
            } else if (offset >= leaderEndThen && fetchedMs > caughtUpMs) {
                caughtUpMs = fetchedMs; // it has all that was there when it asked last
            }
            end = offset;
            fetchedMs = nowMs;
            leaderEndThen = leaderEnd;
        }

        boolean isBehind(long ownEnd, long maxLagMs, long nowMs) {
            return end < ownEnd && nowMs - caughtUpMs > maxLagMs;
        }

        boolean hasCommitted() {
            return end >= highWatermark && end >= epochStart;
        }
    }
}
