package io.millrace.broker.partition;

import io.millrace.broker.log.Damage;
import org.apache.kafka.common.TopicIdPartition;

/** A reader has found that a log is not what was written. */
public record Damaged(TopicIdPartition partition, Damage damage) implements ShardMessage {

    @Override
    public void deliver(Shard shard) {
        Partition owner = shard.partition(partition.topicPartition());
        if (owner != null && owner.id().equals(partition)) {
            shard.damaged(owner, damage);
        }
    }
}
