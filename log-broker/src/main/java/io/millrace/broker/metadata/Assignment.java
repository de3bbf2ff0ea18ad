package io.millrace.broker.metadata;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * The replicas of a partition on its way from some to others (KIP-455).
 *
 * @param replicas old and new ones; without those in {@code removing} they are the new ones in their order of
 *     preference, without those in {@code adding} the old ones
 */
record Assignment(List<Integer> replicas, List<Integer> adding, List<Integer> removing) {

    static Assignment of(PartitionImage partition) {
        return new Assignment(partition.replicas(), partition.adding(), partition.removing());
    }

    /** The way from what a partition has without the reassignment under way to other replicas. */
    static Assignment between(PartitionImage partition, List<Integer> target) {
        List<Integer> originals = originals(partition);
        return new Assignment(merged(originals, target), without(target, originals), without(originals, target));
    }

    /** The way back from a reassignment. */
    static Assignment cancelled(PartitionImage partition) {
        return new Assignment(originals(partition), List.of(), List.of());
    }

    boolean isUnderWay() {
        return !adding.isEmpty() || !removing.isEmpty();
    }

    /** The replicas in the end, in order of preference. */
    List<Integer> target() {
        return without(replicas, removing);
    }

    Assignment done() {
        return new Assignment(target(), List.of(), List.of());
    }

    /** Who should rather lead: one that is to go comes last, since there would soon be another leader then. */
    List<Integer> preference() {
        List<Integer> ordered = new ArrayList<>(target());
        ordered.addAll(removing);
        return ordered;
    }

    private static List<Integer> originals(PartitionImage partition) {
        return without(partition.replicas(), partition.adding());
    }

    private static List<Integer> without(List<Integer> nodes, List<Integer> others) {
        return nodes.stream().filter(node -> !others.contains(node)).toList();
    }

    /**
     * Both lists in one, each in its own order. Where they contradict each other about the replicas that both have, the
     * order of the new one counts: it says who is preferred in future.
     */
    private static List<Integer> merged(List<Integer> originals, List<Integer> target) {
        List<Integer> merged = new ArrayList<>();
        List<Integer> left = new ArrayList<>(originals);
        for (int node : target) {
            int place = left.indexOf(node);
            if (place >= 0) {
                List<Integer> ahead = left.subList(0, place + 1);
                merged.addAll(without(ahead, target));
                ahead.removeIf(seen -> seen == node || !target.contains(seen));
            }
            merged.add(node);
        }
        merged.addAll(without(left, target));
        return merged;
    }

    /** Whether a replica is named twice. */
    static boolean repeats(List<Integer> nodes) {
        return new HashSet<>(nodes).size() != nodes.size();
    }
}
