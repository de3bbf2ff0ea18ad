package io.millrace.broker.partition;

import org.apache.kafka.common.TopicPartition;

/** The patience of somebody who waits for a partition's replicas may have ended. */
record ExpireWaits(TopicPartition partition) implements ShardMessage {

    @Override
    public void deliver(Shard shard) {
        Partition owner = shard.partition(partition);
        if (owner != null) {
            owner.expireWaits();
            shard.touched(owner);
        }
    }
}
