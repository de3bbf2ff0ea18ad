package io.millrace.streams.runtime;

import io.millrace.streams.Topic;
import io.millrace.streams.plan.Stage;
import io.millrace.streams.sink.Sink;
import io.millrace.streams.sink.SinkBatch;
import io.millrace.streams.sink.SinkFencedException;
import io.millrace.streams.sink.SinkIdentity;
import io.millrace.streams.sink.SinkWriter;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads for a sink. The worker's thread only polls, so that membership in the group never depends on the database; the
 * {@link SinkDesk} writes one batch at a time. The database says where each partition begins; the group's offsets are
 * a copy for people to look at.
 */
final class SinkWorker<K, V> implements Worker, ConsumerRebalanceListener {
    private static final Logger LOG = LoggerFactory.getLogger(SinkWorker.class);
    private static final Duration IDLE_POLL = Duration.ofMillis(100);
    private static final Duration BUSY_POLL = Duration.ofMillis(5);
    private static final Duration LAST_WRITE = Duration.ofSeconds(10);
    private static final long MARKERS_ONLY_INTERVAL_MS = 300;

    /** What the desk is busy with; {@code batch} is null for a take-over. */
    private record Errand<K, V>(SinkBatch<K, V> batch, Future<Integer> written, Future<Map<Integer, Long>> takenOver) {
        boolean isDone() {
            return outcome().isDone();
        }

        /** Returns when it is done, well or not, or when the time is up. */
        void await(Duration timeout) {
            try {
                outcome().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException | CancellationException e) {
                LOG.trace("told when the outcome is asked for", e);
            } catch (InterruptedException e) {
                throw new org.apache.kafka.common.errors.InterruptException(e);
            }
        }

        private Future<?> outcome() {
            return batch == null ? takenOver : written;
        }
    }

    private final Workspace workspace;
    private final Stage.OfSink stage;
    private final Supplier<Consumer<byte[], byte[]>> members;
    private final BooleanSupplier stopping;
    private final SinkDesk<K, V> desk;
    private final Backoff backoff = new Backoff();
    private final BudgetWindow budget;

    private Consumer<byte[], byte[]> member;
    private SinkIntake<K, V> intake;
    private List<Integer> toTakeOver = List.of();
    private Errand<K, V> errand;
    private long lastBatchMs;

    SinkWorker(
            Workspace workspace,
            Stage.OfSink stage,
            Supplier<Consumer<byte[], byte[]>> members,
            BooleanSupplier stopping) {
        this.workspace = workspace;
        this.stage = stage;
        this.members = members;
        this.stopping = stopping;
        this.desk = new SinkDesk<>(stage.name(), open());
        this.budget = new BudgetWindow(workspace.settings().failures().budget());
        this.intake = new SinkIntake<>(topic());
    }

    @SuppressWarnings("unchecked") // into(sink) made them match
    private SinkWriter<K, V> open() {
        String topic = stage.source().name();
        SinkIdentity identity = new SinkIdentity(
                workspace.topics().clusterId(),
                workspace.plan().job().name(),
                stage.name(),
                topic,
                workspace.topics().id(topic).toString());
        return ((Sink<K, V>) stage.sink()).open(identity);
    }

    @SuppressWarnings("unchecked") // into(sink) made them match
    private Topic<K, V> topic() {
        return (Topic<K, V>) stage.source();
    }

    @Override
    public String note() {
        return desk.note();
    }

    @Override
    public void run() {
        try {
            while (!stopping.getAsBoolean()) {
                session();
            }
        } finally {
            desk.close();
        }
    }

    private void session() {
        member = members.get();
        boolean leave = false;
        try {
            member.subscribe(List.of(stage.source().name()), this);
            while (!stopping.getAsBoolean()) {
                cycle();
            }
            awaitLastWrite();
            leave = true;
        } catch (SinkFencedException e) {
            LOG.warn("sink {}: {}; joining again", stage.name(), e.getMessage());
            backoff.pause();
        } catch (KafkaException e) {
            if (Verdicts.of(e) == Verdict.STOP) {
                throw LostOffsets.explained(e, "the ledger line of sink " + stage.name());
            }
            LOG.warn("sink {}: session ends, a new one goes on from the ledger: {}", stage.name(), e.toString());
            backoff.pause();
        } finally {
            letGo();
            member.close(CloseOptions.timeout(Duration.ofSeconds(5))
                    .withGroupMembershipOperation(
                            leave
                                    ? CloseOptions.GroupMembershipOperation.LEAVE_GROUP
                                    : CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP));
        }
    }

    private void cycle() {
        for (ConsumerRecord<byte[], byte[]> record : member.poll(pollTimeout())) {
            intake.add(record);
        }
        for (TopicPartition partition : member.assignment()) {
            if (intake.owns(partition.partition())) {
                intake.readUpTo(partition.partition(), member.position(partition));
            }
        }
        if (errand != null && errand.isDone()) {
            finish(errand);
        }
        if (errand == null) {
            next();
        }
        if (intake.isFull()) {
            member.pause(member.assignment());
        } else if (toTakeOver.isEmpty()) {
            member.resume(member.paused());
        }
    }

    private Duration pollTimeout() {
        if (errand == null) {
            return IDLE_POLL;
        }
        if (intake.isFull()) {
            // nothing is fetched now, so a poll would sleep on though the database has become free
            errand.await(BUSY_POLL);
            return Duration.ZERO;
        }
        return BUSY_POLL;
    }

    private void next() {
        boolean due = intake.hasRecords()
                || (intake.hasMoved() && SystemTime.monotonicMs() - lastBatchMs >= MARKERS_ONLY_INTERVAL_MS);
        if (!toTakeOver.isEmpty()) {
            errand = new Errand<>(null, null, desk.takeOver(toTakeOver));
        } else if (due) {
            SinkBatch<K, V> batch = intake.batch(budget.room());
            errand = new Errand<>(batch, desk.write(batch), null);
            lastBatchMs = SystemTime.monotonicMs();
        }
    }

    private void finish(Errand<K, V> done) {
        errand = null;
        if (done.batch() == null) {
            begin(result(done.takenOver()));
        } else {
            written(done.batch(), result(done.written()));
        }
        backoff.reset();
    }

    private void begin(Map<Integer, Long> offsets) {
        offsets.forEach((number, offset) -> {
            TopicPartition partition = new TopicPartition(stage.source().name(), number);
            if (offset == SinkWriter.NO_OFFSET) {
                member.seekToBeginning(List.of(partition));
            } else {
                member.seek(partition, offset);
            }
            intake.begin(number, member.position(partition));
        });
        toTakeOver = List.of();
        LOG.info("sink {}: took over {}", stage.name(), offsets);
    }

    private void written(SinkBatch<K, V> batch, int deadLetters) {
        for (int i = 0; i < batch.records().size(); i++) {
            if (i < deadLetters) {
                budget.bad();
            } else {
                budget.good();
            }
        }
        workspace.counters().processed.add(batch.records().size());
        workspace.counters().written.add(batch.records().size() - deadLetters);
        workspace.counters().deadLetters.add(deadLetters);
        workspace.counters().commits.increment();
        Map<TopicPartition, OffsetAndMetadata> copy = new HashMap<>();
        batch.ranges()
                .forEach((partition, range) -> copy.put(
                        new TopicPartition(stage.source().name(), partition), new OffsetAndMetadata(range.next())));
        member.commitAsync(copy, (offsets, error) -> {
            if (error != null) {
                LOG.debug("the group's copy of the offsets of {} is behind", stage.name(), error);
            }
        });
    }

    private static <T> T result(Future<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            throw new org.apache.kafka.common.errors.InterruptException(e);
        }
    }

    /** A batch that is being committed may as well become the last thing this process did. */
    private void awaitLastWrite() {
        long untilMs = SystemTime.monotonicMs() + LAST_WRITE.toMillis();
        while (errand != null && !errand.isDone() && SystemTime.monotonicMs() < untilMs) {
            SystemTime.pause(BUSY_POLL);
        }
        if (errand != null && errand.isDone() && errand.batch() != null) {
            finish(errand);
        }
    }

    private void letGo() {
        desk.drop();
        errand = null;
        toTakeOver = List.of();
        intake = new SinkIntake<>(topic());
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        letGo();
        member.pause(partitions);
        // what is read before the ledger is known would be read in vain
        partitions.forEach(partition -> member.seekToBeginning(List.of(partition)));
        toTakeOver = partitions.stream().map(TopicPartition::partition).sorted().toList();
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        letGo();
    }
}
