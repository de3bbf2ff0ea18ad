package io.millrace.simulator.workload;

import io.millrace.simulator.checker.CopyCheck;
import io.millrace.simulator.checker.ReadPosition;
import io.millrace.simulator.client.GroupRequests.Membership;
import io.millrace.simulator.client.Requests;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;

/**
 * Committed records of one partition become one record each in another, with the group's offset in the same transaction
 * (I4).
 *
 * @param id names the outputs
 */
record Copying(Bench bench, String group, String id, TopicPartition from, TopicPartition to) {
    private static final int MOST = 20;

    /** Which is about as many records; all that there are would be read again and again. */
    private static final int MOST_BYTES = 2_000;

    private static final int WAIT_MS = 200;

    /** Where the group stands; the answer waits for transactions that are open. */
    CompletableFuture<Long> committedOffset() {
        return bench.client()
                .askCoordinator(
                        Requests.Kind.GROUP,
                        group,
                        Requests.offset(group, from),
                        Requests.OFFSET_FETCH,
                        OffsetFetchResponseData.class)
                .thenApply(answer -> {
                    OffsetFetchResponseData.OffsetFetchResponseGroup found =
                            answer.groups().get(0);
                    bench.client().check("offset of " + group, found.errorCode());
                    OffsetFetchResponseData.OffsetFetchResponsePartitions one =
                            found.topics().get(0).partitions().get(0);
                    bench.client().check("offset of " + group, one.errorCode());
                    return Math.max(0, one.committedOffset());
                });
    }

    CompletableFuture<ReadPosition> read(long next) {
        return bench.client()
                .askLeader(from, () -> request(next), Requests.FETCH, FetchResponseData.class)
                .thenApply(answer -> {
                    PartitionData data = answer.responses().get(0).partitions().get(0);
                    bench.client().check("read of " + from, data.errorCode());
                    ReadPosition read = new ReadPosition(bench.ledger(), from, true, next);
                    read.take(data);
                    return read;
                });
    }

    private FetchRequestData request(long next) {
        int epoch = bench.client().leaderEpoch(from);
        return Requests.fetch(from, epoch, next, IsolationLevel.READ_COMMITTED, WAIT_MS)
                .setMaxBytes(MOST_BYTES);
    }

    /** Up to where one transaction copies what was read. */
    static long end(ReadPosition read, long next) {
        return Math.min(read.next(), next + MOST);
    }

    /** Writes the outputs and the offset; the transaction stays open. */
    CompletableFuture<Void> write(
            TransactionalProducer producer, Membership member, ReadPosition read, long next, long end) {
        List<String> outputs = read.delivered().subMap(next, end).keySet().stream()
                .map(offset -> CopyCheck.value(id, offset))
                .toList();
        CompletableFuture<?> written =
                outputs.isEmpty() ? CompletableFuture.completedFuture(0L) : producer.append(to, outputs);
        return written.thenCompose(done -> bench.client().insist(() -> commitOffset(producer, member, end)));
    }

    private CompletableFuture<Void> commitOffset(TransactionalProducer producer, Membership member, long offset) {
        return bench.client()
                .askCoordinator(
                        Requests.Kind.GROUP,
                        group,
                        Requests.commitOffset(producer.id(), producer.identity(), member, from, offset),
                        Requests.TXN_OFFSET_COMMIT,
                        TxnOffsetCommitResponseData.class)
                .thenAccept(answer -> bench.client()
                        .check(
                                "offset of " + group,
                                answer.topics().get(0).partitions().get(0).errorCode()));
    }

    /** What there must be in the end. */
    CompletableFuture<CopyCheck> check() {
        return bench.client().insist(this::committedOffset).thenApply(offset -> new CopyCheck(id, from, to, offset));
    }
}
