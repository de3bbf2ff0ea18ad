package io.millrace.simulator.workload;

import io.millrace.simulator.checker.ReadPosition;
import io.millrace.simulator.client.Requests;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;

/** Reads a partition from its start, for as long as it is asked to. */
public final class Reader implements Workload {
    private static final int WAIT_MS = 300;
    private static final int MAX_PAUSE_MS = 60;

    private final Bench bench;
    private final IsolationLevel isolation;
    private final ReadPosition position;
    private boolean stopped;

    public Reader(Bench bench, TopicPartition partition, IsolationLevel isolation) {
        this.bench = bench;
        this.isolation = isolation;
        this.position = new ReadPosition(bench.ledger(), partition, isolation == IsolationLevel.READ_COMMITTED);
    }

    public ReadPosition position() {
        return position;
    }

    @Override
    public void start() {
        bench.then(bench.client().insist(this::fetchUnlessStopped), done -> {
            if (!stopped) {
                bench.client().after(1 + bench.client().chance(MAX_PAUSE_MS), this::start);
            }
        });
    }

    private CompletableFuture<Void> fetchUnlessStopped() {
        return stopped ? CompletableFuture.completedFuture(null) : fetch();
    }

    private CompletableFuture<Void> fetch() {
        TopicPartition partition = position.partition();
        int epoch = bench.client().leaderEpoch(partition);
        return bench.client()
                .askLeader(
                        partition,
                        Requests.fetch(partition, epoch, position.next(), isolation, WAIT_MS),
                        Requests.FETCH,
                        FetchResponseData.class)
                .thenAccept(answer -> {
                    bench.client().check("fetch", answer.errorCode());
                    PartitionData data = answer.responses().get(0).partitions().get(0);
                    if (data.errorCode() == Errors.OFFSET_OUT_OF_RANGE.code()) {
                        throw position.outOfRange();
                    }
                    bench.client().check("fetch of " + position.partition(), data.errorCode());
                    position.take(data);
                });
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public boolean isIdle() {
        return true;
    }
}
