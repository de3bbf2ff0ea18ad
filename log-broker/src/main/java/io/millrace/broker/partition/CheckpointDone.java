package io.millrace.broker.partition;

import io.millrace.broker.log.Checkpointing;
import org.apache.kafka.common.TopicPartition;

/** A partition's files have been forced. */
record CheckpointDone(TopicPartition partition, Checkpointing work) implements ShardMessage {

    @Override
    public void deliver(Shard shard) {
        Partition owner = shard.partition(partition);
        if (owner != null) {
            owner.log().completeCheckpoint(work);
        }
    }
}
