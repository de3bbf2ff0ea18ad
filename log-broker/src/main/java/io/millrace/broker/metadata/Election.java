package io.millrace.broker.metadata;

import static io.millrace.broker.metadata.PartitionImage.NO_LEADER;

import java.util.List;
import java.util.function.IntPredicate;

/**
 * Who shall lead a partition. Replicas that have every committed record come first: those in sync, then those that are
 * eligible (KIP-966); of each kind an active broker before one that is draining.
 *
 * @param replicas in order of preference
 * @param inSync those that can be trusted to have every committed record
 */
record Election(ClusterImage cluster, List<Integer> replicas, List<Integer> inSync, List<Integer> eligible) {

    /** Whether a leader needs no successor. One that drains does as soon as somebody else can lead. */
    boolean mayStay(int leader) {
        if (!inSync.contains(leader) || !cluster.isUnfenced(leader)) {
            return false;
        }
        return cluster.isActive(leader) || inSync.stream().noneMatch(cluster::isActive);
    }

    /** A leader that has every committed record, or none. */
    int clean() {
        int found = servingIn(inSync);
        return found == NO_LEADER ? servingIn(eligible) : found;
    }

    /** A leader that may lack records, or none. */
    int any() {
        return servingIn(replicas);
    }

    private int servingIn(List<Integer> nodes) {
        int active = first(replicas, node -> nodes.contains(node) && cluster.isActive(node));
        return active != NO_LEADER ? active : first(replicas, node -> nodes.contains(node) && cluster.isUnfenced(node));
    }

    static int first(List<Integer> nodes, IntPredicate fits) {
        for (int node : nodes) {
            if (fits.test(node)) {
                return node;
            }
        }
        return NO_LEADER;
    }
}
