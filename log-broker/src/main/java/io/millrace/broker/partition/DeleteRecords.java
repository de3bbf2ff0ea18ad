package io.millrace.broker.partition;

import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;

/**
 * Everything before an offset is given up. The answer, the new start of the log, comes when a crash can no longer bring
 * the records back.
 *
 * @param offset -1 for the high watermark
 * @param reply empty where the offset is beyond the high watermark; null where the partition is not here
 */
public record DeleteRecords(TopicPartition partition, long offset, CompletableFuture<OptionalLong> reply)
        implements ShardMessage {
    private static final long TO_THE_END = -1;

    @Override
    public void deliver(Shard shard) {
        Partition owner = shard.partition(partition);
        if (owner == null || !owner.leads()) {
            reply.complete(null);
            return;
        }
        long highWatermark = owner.view().highWatermark();
        long wanted = offset == TO_THE_END ? highWatermark : offset;
        if (wanted < 0 || wanted > highWatermark) {
            reply.complete(OptionalLong.empty());
            return;
        }
        long start = owner.deleteRecordsBefore(wanted);
        shard.touched(owner);
        shard.report(() -> reply.complete(OptionalLong.of(start)));
    }
}
