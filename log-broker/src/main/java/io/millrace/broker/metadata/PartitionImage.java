package io.millrace.broker.metadata;

import java.util.List;

/**
 * Who has a partition.
 *
 * @param leaderEpoch rises with every new leader; -1 is never used
 * @param partitionEpoch rises with every change of this record
 */
public record PartitionImage(
        int index, int leader, int leaderEpoch, int partitionEpoch, List<Integer> replicas, List<Integer> inSync) {

    public PartitionImage {
        replicas = List.copyOf(replicas);
        inSync = List.copyOf(inSync);
    }
}
