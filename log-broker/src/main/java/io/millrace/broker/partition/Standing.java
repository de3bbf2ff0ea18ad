package io.millrace.broker.partition;

import io.millrace.broker.metadata.PartitionImage;

/**
 * This broker's part in a partition, for other threads.
 *
 * @param leader the broker that leads, or {@link PartitionImage#NO_LEADER}
 * @param leads whether it is this one
 */
public record Standing(int leader, int leaderEpoch, boolean leads) {
    static final Standing NONE = new Standing(PartitionImage.NO_LEADER, -1, false);
}
