package io.millrace.broker.partition;

import io.millrace.broker.log.OpenTransaction;
import io.millrace.broker.log.TransactionMarker;
import io.millrace.broker.wire.ErrorCode;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;

/**
 * No coordinator knows of a transaction that is open here: it is aborted, unless it has ended meanwhile or another one
 * of the same producer has begun.
 */
public record AbortHanging(TopicPartition partition, OpenTransaction hanging, CompletableFuture<ErrorCode> reply)
        implements ShardMessage {

    @Override
    public void deliver(Shard shard) {
        Partition owner = shard.partition(partition);
        if (owner == null || !owner.leads() || !owner.log().openTransactions().contains(hanging)) {
            reply.complete(ErrorCode.NONE);
            return;
        }
        int coordinatorEpoch = owner.log()
                .producer(hanging.producerId())
                .map(producer -> Math.max(0, producer.coordinatorEpoch()))
                .orElse(0);
        TransactionMarker abort =
                new TransactionMarker(hanging.producerId(), hanging.epoch(), false, coordinatorEpoch, false);
        owner.endTransaction(new WriteMarker(partition, abort, reply));
        shard.touched(owner);
    }
}
