package io.millrace.simulator.workload;

import io.millrace.simulator.checker.Violation;
import io.millrace.simulator.client.Client;
import io.millrace.simulator.client.NoAnswer;
import io.millrace.simulator.client.Refused;
import io.millrace.simulator.client.Requests;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;

/** An idempotent producer of one partition, which has several batches under way and sends each until it is acknowledged. */
public final class IdempotentAppends implements Workload {
    private static final int MAX_PAUSE_MS = 120;

    /** As many as a partition remembers: no more are sent before the first of them is acknowledged. */
    private static final int UNDER_WAY = 5;

    private final Bench bench;
    private final String name;
    private final TopicPartition partition;
    private final Deque<Integer> underWay = new ArrayDeque<>();
    private final Set<Integer> acknowledged = new TreeSet<>();
    private Requests.Identity producer;
    private int sequence;
    private boolean stopped;

    public IdempotentAppends(Bench bench, String name, TopicPartition partition) {
        this.bench = bench;
        this.name = name;
        this.partition = partition;
    }

    @Override
    public void start() {
        bench.then(bench.init(null, 0), identity -> {
            producer = identity;
            next();
        });
    }

    private void next() {
        if (stopped) {
            return;
        }
        if (underWay.size() < UNDER_WAY) {
            send();
        }
        bench.client().after(1 + bench.client().chance(MAX_PAUSE_MS), this::next);
    }

    private void send() {
        int first = sequence;
        List<String> values = Bench.values(1 + bench.client().chance(3), i -> name + "." + (first + i));
        values.forEach(value -> bench.ledger().sends(name, value));
        sequence += values.size();
        underWay.add(first);
        ByteBuffer batch = Bench.batch(producer, false, first, values);
        bench.then(bench.client().insist(() -> once(first, batch)), offset -> {
            acknowledged.add(first);
            while (!underWay.isEmpty() && acknowledged.remove(underWay.peek())) {
                underWay.remove();
            }
            bench.acknowledged(partition, offset, values);
        });
    }

    /**
     * A batch that overtakes one that was lost is out of order until that one has come. Where all before it have been
     * acknowledged, one of them is gone.
     */
    private CompletableFuture<Long> once(int first, ByteBuffer batch) {
        boolean behindOthers = underWay.peek() != first;
        return bench.append(partition, null, batch).exceptionally(failure -> {
            Throwable cause = Client.cause(failure);
            if (!(cause instanceof Refused refused) || refused.error() != Errors.OUT_OF_ORDER_SEQUENCE_NUMBER) {
                throw new CompletionException(cause);
            }
            throw behindOthers
                    ? new NoAnswer("an earlier batch is missing")
                    : new Violation(
                            "I2",
                            partition + " has not got what it acknowledged of " + name + " before sequence " + first);
        });
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public boolean isIdle() {
        return stopped && underWay.isEmpty();
    }

    @Override
    public String toString() {
        return "appends of " + name + " to " + partition + " as " + producer + ", under way " + underWay;
    }
}
