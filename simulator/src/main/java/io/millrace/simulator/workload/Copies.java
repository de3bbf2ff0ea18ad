package io.millrace.simulator.workload;

import io.millrace.simulator.checker.CopyCheck;
import io.millrace.simulator.checker.ReadPosition;
import io.millrace.simulator.client.Client;
import io.millrace.simulator.client.NoAnswer;
import io.millrace.simulator.client.Refused;
import io.millrace.simulator.client.Requests;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;

/** Reads committed records, writes one for each, and commits how far it has read in the same transaction (I4). */
public final class Copies implements Workload {
    private static final int TIMEOUT_MS = 8_000;
    private static final int MAX_PAUSE_MS = 300;
    private static final int MOST = 20;

    private final Bench bench;
    private final TransactionalProducer producer;
    private final String id;
    private final TopicPartition from;
    private final TopicPartition to;
    private boolean stopped;
    private boolean idle;
    private long next;

    public Copies(Bench bench, String id, TopicPartition from, TopicPartition to) {
        this.bench = bench;
        this.id = id;
        this.from = from;
        this.to = to;
        this.producer = new TransactionalProducer(bench, id, TIMEOUT_MS);
    }

    @Override
    public void start() {
        begin();
    }

    /** The group's offset is the truth; what was read behind it is forgotten. */
    private void begin() {
        if (stopped) {
            idle = true;
            return;
        }
        bench.then(
                producer.init(),
                started -> bench.then(bench.client().insist(this::committedOffset), offset -> {
                    next = Math.max(0, offset);
                    copy();
                }));
    }

    /** Where the group stands; the answer waits for transactions that are open. */
    public CompletableFuture<Long> committedOffset() {
        return bench.client()
                .askCoordinator(
                        Requests.Kind.GROUP,
                        id,
                        Requests.offset(id, from),
                        Requests.OFFSET_FETCH,
                        OffsetFetchResponseData.class)
                .thenApply(answer -> {
                    OffsetFetchResponseData.OffsetFetchResponseGroup group =
                            answer.groups().get(0);
                    bench.client().check("offset of " + id, group.errorCode());
                    OffsetFetchResponseData.OffsetFetchResponsePartitions one =
                            group.topics().get(0).partitions().get(0);
                    bench.client().check("offset of " + id, one.errorCode());
                    return one.committedOffset();
                });
    }

    private void copy() {
        if (stopped) {
            idle = true;
            return;
        }
        bench.then(bench.client().insist(this::read), position -> {
            long end = Math.min(position.next(), next + MOST);
            if (end == next) {
                pause(this::copy);
            } else {
                write(position, end);
            }
        });
    }

    private CompletableFuture<ReadPosition> read() {
        return bench.client()
                .askLeader(
                        from,
                        Requests.fetch(
                                from, bench.client().leaderEpoch(from), next, IsolationLevel.READ_COMMITTED, 200),
                        Requests.FETCH,
                        FetchResponseData.class)
                .thenApply(answer -> {
                    PartitionData data = answer.responses().get(0).partitions().get(0);
                    bench.client().check("read of " + from, data.errorCode());
                    ReadPosition read = new ReadPosition(bench.ledger(), from, true, next);
                    read.take(data);
                    return read;
                });
    }

    private void write(ReadPosition read, long end) {
        List<String> outputs = read.delivered().subMap(next, end).keySet().stream()
                .map(offset -> CopyCheck.value(id, offset))
                .toList();
        CompletableFuture<?> written =
                outputs.isEmpty() ? CompletableFuture.completedFuture(0L) : producer.append(to, outputs);
        written.thenCompose(done -> bench.client().insist(() -> commitOffset(end)))
                .thenCompose(done -> producer.end(bench.client().chance(5) > 0))
                .whenComplete((done, failure) -> bench.guard(() -> {
                    Throwable cause = Client.cause(failure);
                    boolean over = cause instanceof NoAnswer
                            || (cause instanceof Refused refused
                                    && TransactionalProducer.isEndOfTransaction(refused.error()));
                    if (cause != null && !over) {
                        bench.unexpected().accept(cause);
                    } else {
                        pause(this::begin);
                    }
                }));
    }

    private CompletableFuture<Void> commitOffset(long offset) {
        return bench.client()
                .askCoordinator(
                        Requests.Kind.GROUP,
                        id,
                        Requests.commitOffset(id, producer.identity(), id, from, offset),
                        Requests.TXN_OFFSET_COMMIT,
                        TxnOffsetCommitResponseData.class)
                .thenAccept(answer -> bench.client()
                        .check(
                                "offset of " + id,
                                answer.topics().get(0).partitions().get(0).errorCode()));
    }

    private void pause(Runnable then) {
        bench.client().after(1 + bench.client().chance(MAX_PAUSE_MS), then);
    }

    /** What there must be in the end. */
    public CopyCheck check(long committedOffset) {
        return new CopyCheck(id, from, to, Math.max(0, committedOffset));
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public boolean isIdle() {
        return idle;
    }

    @Override
    public String toString() {
        return "copies of " + id + " as " + producer.identity() + ", at " + next;
    }
}
