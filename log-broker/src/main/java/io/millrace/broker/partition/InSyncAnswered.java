package io.millrace.broker.partition;

import io.millrace.broker.replication.LeaderState;
import io.millrace.broker.wire.ErrorCode;
import org.apache.kafka.common.TopicIdPartition;

/**
 * The controller's answer to a proposed in-sync set. What it has agreed to arrives with the next image, as every change
 * does.
 *
 * @param error UNKNOWN_SERVER_ERROR where no answer came
 */
record InSyncAnswered(TopicIdPartition partition, LeaderState.Proposal proposal, ErrorCode error)
        implements ShardMessage {

    @Override
    public void deliver(Shard shard) {
        Partition owner = shard.partition(partition.topicPartition());
        LeaderState leader = owner == null ? null : owner.leaderState();
        if (leader == null || !leader.awaits(proposal)) {
            return;
        }
        switch (error) {
            case NONE, INVALID_UPDATE_VERSION, FENCED_LEADER_EPOCH, UNKNOWN_TOPIC_ID, UNKNOWN_TOPIC_OR_PARTITION -> {
                // an image that settles it is under way
            }
            case INELIGIBLE_REPLICA, INVALID_REQUEST -> {
                // the controller looks at the version first: so the change has not been made before, either
                leader.refused(proposal);
                shard.touched(owner);
            }
            default -> shard.proposeLater(partition, proposal);
        }
    }
}
