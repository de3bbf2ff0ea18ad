package io.millrace.broker.partition;

import io.millrace.broker.wire.ErrorCode;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;

/**
 * A client's batches for a partition.
 *
 * @param records a view of the request's frame, valid until the reply is completed
 * @param allReplicas whether the reply waits for the in-sync replicas (acks=all)
 * @param transaction who the transactional batches belong to; null where there are none
 */
public record Produce(
        TopicPartition partition,
        ByteBuffer records,
        boolean allReplicas,
        int timeoutMs,
        Transaction transaction,
        CompletableFuture<Reply> reply)
        implements ShardMessage {

    @Override
    public void deliver(Shard shard) {
        Partition owner = shard.partition(partition);
        if (owner == null) {
            reply.complete(Reply.refused(ErrorCode.NOT_LEADER_OR_FOLLOWER, null));
        } else {
            owner.produce(this);
            shard.touched(owner);
        }
    }

    /**
     * The transaction that a batch belongs to.
     *
     * @param joins whether the produce itself registers the partition with the coordinator (transaction version 2);
     *     otherwise the client has done so and it is only verified
     */
    public record Transaction(String transactionalId, boolean joins) {}

    /**
     * The answer.
     *
     * @param baseOffset of the first record; -1 when refused
     * @param appendTimeMs the broker's time where that is what the topic records; else -1
     */
    public record Reply(ErrorCode error, String message, long baseOffset, long appendTimeMs, long startOffset) {
        public static Reply refused(ErrorCode error, String message) {
            return new Reply(error, message, -1, -1, -1);
        }
    }
}
