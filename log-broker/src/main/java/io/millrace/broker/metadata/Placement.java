package io.millrace.broker.metadata;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.kafka.common.Uuid;

/**
 * Which brokers get the replicas of a partition. Brokers stand in a circle in which racks take turns. Partitions are led
 * by one broker after the other, from a place that depends on the topic, so that small topics spread, too. The other
 * replicas go to racks that have none yet, as long as there are such, and there to the brokers that have got the least.
 */
final class Placement {
    private final List<BrokerImage> circle;
    private final Map<Integer, Integer> given = new HashMap<>();
    private final int start;

    private Placement(List<BrokerImage> brokers, Uuid topic) {
        this.circle = inTurns(brokers);
        this.start = Math.floorMod(topic.hashCode(), circle.size());
    }

    /**
     * New partitions of a topic.
     *
     * @param brokers the active ones, at least as many as the replication factor
     * @param existing what the topic has already
     */
    static List<PartitionImage> spread(
            List<BrokerImage> brokers, Uuid topic, List<PartitionImage> existing, int count, int replicationFactor) {
        Placement placement = new Placement(brokers, topic);
        existing.forEach(partition -> partition.target().forEach(placement::give));
        List<PartitionImage> partitions = new ArrayList<>(count);
        for (int index = existing.size(); index < existing.size() + count; index++) {
            List<Integer> replicas = placement.replicas(index, replicationFactor);
            partitions.add(PartitionImage.created(index, replicas, replicas));
        }
        return partitions;
    }

    /** The brokers of each rack in turn; one whose rack is not known counts as a rack of its own. */
    private static List<BrokerImage> inTurns(List<BrokerImage> brokers) {
        Map<String, Integer> seen = new HashMap<>();
        Map<Integer, Integer> round = new HashMap<>();
        for (BrokerImage broker : brokers) {
            round.put(broker.id(), broker.rack().isEmpty() ? 0 : seen.merge(broker.rack(), 1, Integer::sum) - 1);
        }
        return brokers.stream()
                .sorted(Comparator.<BrokerImage>comparingInt(broker -> round.get(broker.id()))
                        .thenComparing(BrokerImage::rack)
                        .thenComparing(BrokerImage::id))
                .toList();
    }

    private void give(int node) {
        given.merge(node, 1, Integer::sum);
    }

    private List<Integer> replicas(int index, int replicationFactor) {
        int leader = Math.floorMod(start + index, circle.size());
        // Each round of leaders begins to look for followers one further on, or a leader would always have the same.
        int shift = 1 + index / circle.size();
        List<BrokerImage> chosen = new ArrayList<>(List.of(circle.get(leader)));
        give(circle.get(leader).id());
        while (chosen.size() < replicationFactor) {
            BrokerImage next = next(chosen, leader + shift);
            chosen.add(next);
            give(next.id());
        }
        return chosen.stream().map(BrokerImage::id).toList();
    }

    private BrokerImage next(List<BrokerImage> chosen, int from) {
        List<BrokerImage> others = new ArrayList<>(circle.size());
        for (int step = 0; step < circle.size(); step++) {
            BrokerImage broker = circle.get((from + step) % circle.size());
            if (!chosen.contains(broker)) {
                others.add(broker);
            }
        }
        return others.stream() // of equals the first one in the circle
                .min(Comparator.<BrokerImage>comparingLong(broker -> sharing(broker, chosen))
                        .thenComparing(broker -> given.getOrDefault(broker.id(), 0)))
                .orElseThrow();
    }

    private static long sharing(BrokerImage broker, List<BrokerImage> chosen) {
        return chosen.stream()
                .filter(other -> !broker.rack().isEmpty() && broker.rack().equals(other.rack()))
                .count();
    }

    /**
     * One more broker for a partition: in a rack that has no replica, if possible, and of those the one with the least
     * replicas.
     *
     * @param leaving the replica that it stands in for, or {@link PartitionImage#NO_LEADER}
     */
    static OptionalInt another(ClusterImage image, List<Integer> replicas, int leaving, Loads loads) {
        List<BrokerImage> staying = image.brokers().values().stream()
                .filter(broker -> replicas.contains(broker.id()) && broker.id() != leaving)
                .toList();
        return image.active().stream()
                .filter(broker -> !replicas.contains(broker.id()))
                .min(Comparator.<BrokerImage>comparingLong(broker -> sharing(broker, staying))
                        .thenComparing(broker -> loads.of(broker.id()))
                        .thenComparing(BrokerImage::id))
                .stream()
                .mapToInt(BrokerImage::id)
                .findFirst();
    }

    /**
     * Why replicas that somebody chose cannot be had; null when they can.
     *
     * @param present those that the partition has already
     */
    static String refusal(ClusterImage image, List<Integer> replicas, List<Integer> present) {
        if (replicas.isEmpty() || Assignment.repeats(replicas)) {
            return "replicas " + replicas + ": name at least one broker, each once";
        }
        for (int node : replicas) {
            BrokerImage broker = image.broker(node);
            if (broker == null) {
                return "there is no broker " + node + " in this cluster; there are "
                        + image.brokers().keySet();
            }
            if (broker.drained() && !present.contains(node)) {
                return "broker " + node + " is taken out and gets no new replicas";
            }
        }
        return null;
    }
}
