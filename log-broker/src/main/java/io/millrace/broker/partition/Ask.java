package io.millrace.broker.partition;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;

/**
 * A question to a partition, answered on its shard.
 *
 * @param question gets the partition, or null where the shard does not have it
 */
public record Ask<T>(TopicPartition partition, Function<Partition, T> question, CompletableFuture<T> reply)
        implements ShardMessage {

    @Override
    public void deliver(Shard shard) {
        Partition owner = shard.partition(partition);
        try {
            reply.complete(question.apply(owner));
        } catch (RuntimeException e) {
            reply.completeExceptionally(e);
        }
        if (owner != null) {
            shard.touched(owner);
        }
    }
}
