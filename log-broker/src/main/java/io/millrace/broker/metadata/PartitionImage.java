package io.millrace.broker.metadata;

import java.util.List;
import java.util.stream.Stream;

/**
 * Who has a partition.
 *
 * @param leader the broker that leads it, or {@link #NO_LEADER}
 * @param leaderEpoch rises with every new leader, and when one is lost; never reused
 * @param partitionEpoch rises with every change of this record
 * @param replicas in order of preference; while it is being reassigned, old and new ones
 * @param inSync the replicas that have every committed record; never empty: the last ones stay in it while they are
 *     fenced
 * @param eligible replicas that were in sync when the in-sync set fell below {@code min.insync.replicas}, and so have
 *     every committed record, too (KIP-966)
 * @param lastLeader the last leader, where it may have lost records and nobody else is in sync or eligible (KIP-966);
 *     it stands alone in {@code inSync} then. Else {@link #NO_LEADER}
 * @param adding replicas that a reassignment adds
 * @param removing replicas that it removes when those are in sync
 */
public record PartitionImage(
        int index,
        int leader,
        int leaderEpoch,
        int partitionEpoch,
        List<Integer> replicas,
        List<Integer> inSync,
        List<Integer> eligible,
        int lastLeader,
        List<Integer> adding,
        List<Integer> removing) {

    public static final int NO_LEADER = -1;

    private static final int FIRST_EPOCH = 0;

    public PartitionImage {
        replicas = List.copyOf(replicas);
        inSync = List.copyOf(inSync);
        eligible = List.copyOf(eligible);
        adding = List.copyOf(adding);
        removing = List.copyOf(removing);
    }

    /**
     * A partition that did not exist before.
     *
     * @param inSync those of the replicas that are there; the first one leads
     */
    public static PartitionImage created(int index, List<Integer> replicas, List<Integer> inSync) {
        return new PartitionImage(
                index,
                inSync.get(0),
                FIRST_EPOCH,
                FIRST_EPOCH,
                replicas,
                inSync,
                List.of(),
                NO_LEADER,
                List.of(),
                List.of());
    }

    public boolean hasLeader() {
        return leader != NO_LEADER;
    }

    /** The replica that should lead. */
    public int preferred() {
        return target().get(0);
    }

    /** Whether the replica that should lead can do so without any loss. */
    boolean preferredIsReady(ClusterImage cluster) {
        return lastLeader == NO_LEADER && inSync.contains(preferred()) && cluster.isActive(preferred());
    }

    public boolean isReplica(int node) {
        return replicas.contains(node);
    }

    public boolean isReassigning() {
        return Assignment.of(this).isUnderWay();
    }

    /** The replicas it will have when a reassignment is done; in order of preference. */
    public List<Integer> target() {
        return Assignment.of(this).target();
    }

    /** Replicas that are not in sync. */
    public Stream<Integer> outOfSync() {
        return replicas.stream().filter(node -> !inSync.contains(node));
    }
}
