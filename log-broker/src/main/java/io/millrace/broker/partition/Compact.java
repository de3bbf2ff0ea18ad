package io.millrace.broker.partition;

import org.apache.kafka.common.TopicPartition;

/** A partition has more to compact. */
record Compact(TopicPartition partition) implements ShardMessage {

    @Override
    public void deliver(Shard shard) {
        Partition owner = shard.partition(partition);
        if (owner != null && !owner.offline()) {
            shard.compact(owner);
        }
    }
}
