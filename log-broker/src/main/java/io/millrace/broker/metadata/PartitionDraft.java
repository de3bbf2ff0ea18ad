package io.millrace.broker.metadata;

import static io.millrace.broker.metadata.PartitionImage.NO_LEADER;

import java.util.ArrayList;
import java.util.List;

/**
 * A partition's record in the making. Changes name their cause; {@link #settled} then does what follows from them and
 * from the brokers' states: who is in sync no more, and who leads.
 *
 * <ul>
 *   <li>Fenced replicas leave the in-sync set where an unfenced one remains. Else they stay: the set is never empty, and
 *       nobody outside it knows all that is committed.
 *   <li>A replica that leaves as the set falls below {@code min.insync.replicas} stays eligible (KIP-966), because nothing
 *       is committed without it from then on; the set at its full size again ends that.
 *   <li>A reassignment is done when all replicas that it wants are in sync (KIP-455).
 *   <li>Where a replica goes, a leader epoch ends, also if the leader stays. Else one that does not know yet that it was
 *       left out and taken in again would fetch with the copy that it is about to delete, and be counted as in sync.
 * </ul>
 */
final class PartitionDraft {
    private final PartitionImage last;
    private final PartitionImage before;
    private final ClusterImage cluster;
    private final TopicRules rules;
    private Assignment assignment;
    private List<Integer> inSync;
    private List<Integer> eligible;
    private int leader;
    private int lastLeader;
    private boolean uncleanAllowed;
    private boolean mayHaveLostRecords;

    /**
     * @param last the record as everybody knows it, from which its epochs are counted on
     * @param before what the decision has made of it so far
     */
    PartitionDraft(PartitionImage last, PartitionImage before, ClusterImage cluster, TopicRules rules) {
        this.last = last;
        this.before = before;
        this.cluster = cluster;
        this.rules = rules;
        this.assignment = Assignment.of(before);
        this.inSync = before.inSync();
        this.eligible = before.eligible();
        this.leader = before.leader();
        this.lastLeader = before.lastLeader();
        this.uncleanAllowed = rules.uncleanElection();
    }

    /** A replica has started after a stop that may have cost it the end of its log. */
    void lose(int node) {
        eligible = without(eligible, node);
        if (!inSync.contains(node)) {
            return;
        }
        if (inSync.size() > 1) {
            inSync = without(inSync, node);
        } else if (!eligible.isEmpty()) {
            inSync = List.of(eligible.get(0));
            eligible = without(eligible, eligible.get(0));
        } else {
            lastLeader = node;
        }
    }

    /** A replica is about to stop: it leaves at once, where that costs nobody anything. */
    void leave(int node) {
        if (!inSync.contains(node)) {
            return;
        }
        if (activeIn(without(inSync, node))) {
            retire(List.of(node));
        } else if (activeIn(eligible)) {
            lead(Election.first(assignment.preference(), other -> eligible.contains(other) && cluster.isActive(other)));
        }
    }

    private boolean activeIn(List<Integer> nodes) {
        return nodes.stream().anyMatch(cluster::isActive);
    }

    /** The leader says who is in sync. */
    void agree(List<Integer> nodes) {
        retire(inSync.stream().filter(node -> !nodes.contains(node)).toList());
        inSync = assignment.replicas().stream().filter(nodes::contains).toList();
        eligible = eligible.stream().filter(node -> !nodes.contains(node)).toList();
    }

    /** Other replicas, now or in the end. */
    void assign(Assignment another) {
        assignment = another;
        inSync = inSync.stream().filter(another.replicas()::contains).toList();
        eligible = eligible.stream().filter(another.replicas()::contains).toList();
    }

    /** The preferred replica leads again, where it can. */
    void prefer() {
        if (before.preferredIsReady(cluster)) {
            leader = before.preferred();
        }
    }

    /** Whatever the settings say, records may be lost for the sake of a leader. */
    void allowUnclean() {
        uncleanAllowed = true;
    }

    /** Whether the new leader may lack committed records that others have had. */
    boolean mayHaveLostRecords() {
        return mayHaveLostRecords;
    }

    /** The record after all that follows; the same one when nothing is new. */
    PartitionImage settled() {
        retireFenced();
        elect();
        if (assignment.isUnderWay() && trusted().containsAll(assignment.target())) {
            assign(assignment.done());
            elect();
        }
        if (inSync.size() >= Math.min(rules.minInSync(), assignment.replicas().size())) {
            eligible = List.of();
        }
        boolean asBefore = record(before.leaderEpoch(), before.partitionEpoch()).equals(before);
        return asBefore ? before : changed();
    }

    private void retireFenced() {
        if (inSync.stream().anyMatch(cluster::isUnfenced)) {
            retire(inSync.stream().filter(node -> !cluster.isUnfenced(node)).toList());
        }
    }

    /** Replicas leave the in-sync set with all that is committed. */
    private void retire(List<Integer> nodes) {
        inSync = inSync.stream().filter(node -> !nodes.contains(node)).toList();
        eligible = assignment.replicas().stream()
                .filter(node -> nodes.contains(node) || eligible.contains(node))
                .toList();
    }

    private void elect() {
        Election election = new Election(cluster, assignment.preference(), trusted(), eligible);
        if (leader != NO_LEADER && election.mayStay(leader)) {
            return;
        }
        leader = NO_LEADER;
        int clean = election.clean();
        if (clean != NO_LEADER) {
            lead(clean);
        } else if (cluster.isUnfenced(lastLeader)) {
            leadUnclean(lastLeader);
        } else if (uncleanAllowed) {
            leadUnclean(election.any());
        }
    }

    /** The in-sync set, but for a last leader that stands in it only because the set is never empty. */
    private List<Integer> trusted() {
        return lastLeader == NO_LEADER ? inSync : List.of();
    }

    /** An eligible replica that leads is the in-sync set, and those that were it are eligible. */
    private void lead(int node) {
        leader = node;
        if (!inSync.contains(node)) {
            retire(inSync);
            inSync = List.of(node);
            eligible = without(eligible, node);
        }
    }

    private void leadUnclean(int node) {
        if (node != NO_LEADER) {
            leader = node;
            inSync = List.of(node);
            eligible = List.of();
            lastLeader = NO_LEADER;
            mayHaveLostRecords = assignment.replicas().size() > 1;
        }
    }

    private static List<Integer> without(List<Integer> nodes, int node) {
        List<Integer> others = new ArrayList<>(nodes);
        others.remove((Integer) node);
        return List.copyOf(others);
    }

    private PartitionImage changed() {
        boolean sameEpoch = leader == last.leader() && assignment.replicas().containsAll(last.replicas());
        int leaderEpoch = sameEpoch ? last.leaderEpoch() : last.leaderEpoch() + 1;
        return record(leaderEpoch, last.partitionEpoch() + 1);
    }

    private PartitionImage record(int leaderEpoch, int partitionEpoch) {
        return new PartitionImage(
                before.index(),
                leader,
                leaderEpoch,
                partitionEpoch,
                assignment.replicas(),
                inSync,
                eligible,
                lastLeader,
                assignment.adding(),
                assignment.removing());
    }
}
