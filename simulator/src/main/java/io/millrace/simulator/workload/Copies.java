package io.millrace.simulator.workload;

import io.millrace.simulator.checker.ReadPosition;
import io.millrace.simulator.client.GroupRequests.Membership;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** Copies one partition without being a member of the group whose offsets it commits. */
public final class Copies extends Turns {
    private static final int TIMEOUT_MS = 8_000;
    private static final int MAX_PAUSE_MS = 300;

    private final TransactionalProducer producer;
    private final Copying copying;
    private long next;

    public Copies(Bench bench, String id, TopicPartition from, TopicPartition to) {
        super(bench);
        this.copying = new Copying(bench, id, id, from, to);
        this.producer = new TransactionalProducer(bench, id, TIMEOUT_MS);
    }

    List<Copying> copyings() {
        return List.of(copying);
    }

    @Override
    public void start() {
        next(this::begin);
    }

    /** The group's offset is the truth; what was read behind it is forgotten. */
    private void begin() {
        bench().then(
                        producer.init(),
                        started -> bench().then(bench().client().insist(copying::committedOffset), offset -> {
                            next = offset;
                            next(this::copy);
                        }));
    }

    private void copy() {
        bench().then(bench().client().insist(() -> copying.read(next)), read -> {
            long end = Copying.end(read, next);
            if (end == next) {
                pause(MAX_PAUSE_MS, this::copy);
            } else {
                write(read, end);
            }
        });
    }

    private void write(ReadPosition read, long end) {
        copying.write(producer, Membership.none(copying.group()), read, next, end)
                .thenCompose(done -> producer.end(bench().client().chance(5) > 0))
                .whenComplete((done, failure) -> bench().guard(() -> {
                    if (failure != null && !TransactionalProducer.hasEnded(failure)) {
                        bench().unexpected().accept(failure);
                    } else {
                        pause(MAX_PAUSE_MS, this::begin);
                    }
                }));
    }

    @Override
    public String toString() {
        return "copies of " + copying.id() + " as " + producer.identity() + ", at " + next;
    }
}
