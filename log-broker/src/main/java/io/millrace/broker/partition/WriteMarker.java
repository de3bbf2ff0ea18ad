package io.millrace.broker.partition;

import io.millrace.broker.log.TransactionMarker;
import io.millrace.broker.wire.ErrorCode;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;

/** The end of a transaction on a partition, as its coordinator decided. Safe to repeat. */
public record WriteMarker(TopicPartition partition, TransactionMarker record, CompletableFuture<ErrorCode> reply)
        implements ShardMessage {

    @Override
    public void deliver(Shard shard) {
        Partition owner = shard.partition(partition);
        if (owner == null) {
            reply.complete(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        } else {
            owner.endTransaction(this);
            shard.touched(owner);
        }
    }
}
