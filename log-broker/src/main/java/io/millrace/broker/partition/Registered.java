package io.millrace.broker.partition;

import io.millrace.broker.wire.ErrorCode;
import org.apache.kafka.common.TopicPartition;

/** The coordinator's answer to a partition that asked whether a transaction may write to it. */
record Registered(TopicPartition partition, long producerId, short producerEpoch, ErrorCode error)
        implements ShardMessage {

    @Override
    public void deliver(Shard shard) {
        Partition owner = shard.partition(partition);
        if (owner != null) {
            owner.registered(this);
            shard.touched(owner);
        }
    }
}
