package io.millrace.broker.metadata;

import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Which brokers get the replicas of a new partition: round robin over the brokers, starting one further each time. */
final class Placement {
    private static final int FIRST_LEADER_EPOCH = 0;

    private Placement() {}

    /** Replicas for partitions {@code first} to {@code first + count - 1}. */
    static List<PartitionImage> spread(List<BrokerImage> brokers, int first, int count, int replicationFactor) {
        List<PartitionImage> partitions = new ArrayList<>(count);
        for (int index = first; index < first + count; index++) {
            List<Integer> replicas = new ArrayList<>(replicationFactor);
            for (int replica = 0; replica < replicationFactor; replica++) {
                replicas.add(brokers.get((index + replica) % brokers.size()).id());
            }
            partitions.add(created(index, replicas));
        }
        return partitions;
    }

    static PartitionImage created(int index, List<Integer> replicas) {
        return new PartitionImage(index, replicas.get(0), FIRST_LEADER_EPOCH, 0, replicas, replicas);
    }

    /** Why an assignment that somebody chose cannot be had; null when it can. */
    static Outcome.Refused<TopicImage> refusal(ClusterImage image, List<Integer> replicas) {
        if (replicas.isEmpty() || new HashSet<>(replicas).size() != replicas.size()) {
            return new Outcome.Refused<>(
                    ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                    "replicas " + replicas + ": name at least one broker, each once");
        }
        for (int broker : replicas) {
            if (image.broker(broker) == null) {
                return new Outcome.Refused<>(
                        ErrorCode.INVALID_REPLICA_ASSIGNMENT, "there is no broker " + broker + " in this cluster");
            }
        }
        return null;
    }
}
