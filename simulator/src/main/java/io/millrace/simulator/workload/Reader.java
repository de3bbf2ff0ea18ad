package io.millrace.simulator.workload;

import io.millrace.simulator.checker.ReadPosition;
import io.millrace.simulator.client.NoAnswer;
import io.millrace.simulator.client.Requests;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;

/** Reads a partition from its start, for as long as it is asked to. */
public final class Reader implements Workload {
    private static final int WAIT_MS = 300;
    private static final int MAX_PAUSE_MS = 60;
    private static final int NOBODY = -1;

    /** Of so many fetches one goes to the leader, which may know a better replica by now. */
    private static final int LEADER_EVERY = 30;

    private final Bench bench;
    private final IsolationLevel isolation;
    private final ReadPosition position;
    private final String rack;
    private int replica = NOBODY;
    private boolean stopped;

    public Reader(Bench bench, TopicPartition partition, IsolationLevel isolation) {
        this(bench, partition, isolation, "");
    }

    /** @param rack where the reader is: it is sent to a replica there (KIP-392); empty for none */
    public Reader(Bench bench, TopicPartition partition, IsolationLevel isolation, String rack) {
        this.bench = bench;
        this.rack = rack;
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
        if (replica != NOBODY && bench.client().chance(LEADER_EVERY) == 0) {
            replica = NOBODY;
        }
        int asked = replica;
        TopicPartition partition = position.partition();
        CompletableFuture<FetchResponseData> answer = asked == NOBODY
                ? bench.client().askLeader(partition, this::request, Requests.FETCH, FetchResponseData.class)
                : bench.client().call(asked, request(), Requests.FETCH, FetchResponseData.class);
        return answer.thenAccept(said -> taken(said, asked)).whenComplete((done, failure) -> {
            if (failure != null) {
                replica = NOBODY;
            }
        });
    }

    private FetchRequestData request() {
        TopicPartition partition = position.partition();
        int epoch = bench.client().leaderEpoch(partition);
        return Requests.fetch(partition, epoch, position.next(), isolation, WAIT_MS)
                .setRackId(rack);
    }

    private void taken(FetchResponseData answer, int asked) {
        bench.client().check("fetch", answer.errorCode());
        PartitionData data = answer.responses().get(0).partitions().get(0);
        if (data.errorCode() == Errors.OFFSET_OUT_OF_RANGE.code()) {
            throw asked == NOBODY ? position.outOfRange() : new NoAnswer("n" + asked + " is not where its leader is");
        }
        bench.client().check("fetch of " + position.partition(), data.errorCode());
        if (data.preferredReadReplica() >= 0) {
            replica = data.preferredReadReplica();
            return;
        }
        if (asked == NOBODY) {
            position.leaderSays(data);
        }
        position.take(data);
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public boolean isIdle() {
        return true;
    }

    @Override
    public String toString() {
        return "reader of " + position;
    }
}
