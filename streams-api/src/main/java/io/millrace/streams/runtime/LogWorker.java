package io.millrace.streams.runtime;

import io.millrace.streams.plan.Stage;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread with its session and its tasks. The cycle: poll, process, and after the commit interval: changelogs and
 * positions into the transaction, commit, then the interval into the stores. What goes wrong gets a verdict.
 */
final class LogWorker implements Worker, LogSession.Ownership {
    /** Opens a session whose rebalances are told to this worker. */
    interface Sessions {
        LogSession open(LogSession.Ownership ownership);
    }

    private static final Logger LOG = LoggerFactory.getLogger(LogWorker.class);
    private static final Duration IDLE_POLL = Duration.ofMillis(100);
    private static final Duration RESTORE_POLL = Duration.ofMillis(50);

    private final Workspace workspace;
    private final Sessions sessions;
    private final BooleanSupplier stopping;
    private final Restoration restoration;
    private final long commitIntervalMs;
    private final Backoff backoff = new Backoff();
    private final Map<TopicPartition, LogTask> tasks = new LinkedHashMap<>();
    private LogSession session;
    private long intervalStartMs;
    private volatile String note = "joining the group";

    LogWorker(Workspace workspace, Sessions sessions, BooleanSupplier stopping) {
        this.workspace = workspace;
        this.sessions = sessions;
        this.stopping = stopping;
        this.restoration = new Restoration(workspace);
        this.commitIntervalMs = workspace.settings().timing().commitInterval().toMillis();
    }

    @Override
    public String note() {
        return note;
    }

    @Override
    public void run() {
        while (!stopping.getAsBoolean()) {
            session = sessions.open(this);
            try {
                serve();
                session.leaveGroupOnClose();
            } catch (SessionFinishedException e) {
                LOG.warn("session ends, a new one goes on from the last commit: {}", e.getMessage());
                note = "new session: " + e.getMessage();
                backoff.pause();
            } finally {
                closeTasks();
                session.close();
            }
        }
    }

    private void serve() {
        while (!stopping.getAsBoolean()) {
            try {
                cycle();
            } catch (RuntimeException e) {
                recover(e);
            }
        }
        try {
            commit();
        } catch (RuntimeException e) {
            LOG.warn("the last interval was not committed and will be computed again: {}", e.toString());
        }
    }

    private void cycle() {
        ConsumerRecords<byte[], byte[]> records = session.poll(pollTimeout());
        for (TopicPartition partition : records.partitions()) {
            LogTask task = tasks.get(partition);
            for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
                task.process(record, session);
                if (intervalIsOver()) {
                    commit();
                }
            }
        }
        tasks.values().forEach(task -> task.readUpTo(session.position(task.partition())));
        if (!restoration.isIdle()) {
            for (LogTask complete : restoration.step(RESTORE_POLL)) {
                session.resume(Set.of(complete.partition()));
                LOG.info("state of {} is complete", complete.partition());
            }
            note = restoration.isIdle() ? "running" : "restoring";
        }
        if (intervalIsOver()) {
            commit();
        }
    }

    private Duration pollTimeout() {
        if (!restoration.isIdle()) {
            return Duration.ZERO;
        }
        long leftMs = intervalStartMs + commitIntervalMs - SystemTime.monotonicMs();
        return leftMs <= 0 || leftMs > IDLE_POLL.toMillis() ? IDLE_POLL : Duration.ofMillis(leftMs);
    }

    private boolean intervalIsOver() {
        return SystemTime.monotonicMs() - intervalStartMs >= commitIntervalMs;
    }

    private void commit() {
        Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
        for (LogTask task : tasks.values()) {
            if (task.hasNews()) {
                positions.put(task.partition(), task.position());
                task.sendWaiting(session);
            }
        }
        if (!positions.isEmpty()) {
            Map<TopicPartition, Long> written = session.commit(positions);
            positions.forEach((partition, position) -> tasks.get(partition).committed(position, written));
            workspace.counters().commits.increment();
            backoff.reset();
        }
        intervalStartMs = SystemTime.monotonicMs();
    }

    /** On return every position and state is that of the last commit. */
    private void recover(RuntimeException error) {
        if (error instanceof WriteFailedException failed) {
            judge(failed);
        }
        switch (Verdicts.of(error instanceof WriteFailedException ? error.getCause() : error)) {
            case STOP -> {
                rewindQuietly();
                throw LostOffsets.explained(
                        error, "group " + workspace.plan().job().name());
            }
            case IDENTITY_FINISHED -> throw finished(error);
            case REPEAT, ABORT, RECORD -> {
                LOG.warn("interval aborted, going on from the last commit: {}", error.toString());
                note = "aborted an interval: " + error.getMessage();
                workspace.counters().aborts.increment();
                rewind();
                backoff.pause();
            }
        }
    }

    /** A refused output condemns its input; a refused dead letter or changelog must not be skipped. */
    private void judge(WriteFailedException failed) {
        if (Verdicts.of(failed.getCause()) != Verdict.RECORD) {
            return;
        }
        LogTask task =
                failed.origin() == null ? null : tasks.get(failed.origin().partition());
        if (task == null || failed.topic().equals(workspace.plan().deadLetterTopic())) {
            rewindQuietly();
            throw new JobStoppedException(
                    "%s. Nothing may be skipped here: raise max.message.bytes of topic %s, or make the record smaller"
                            .formatted(failed.getMessage(), failed.topic()),
                    failed);
        }
        task.condemn(failed.origin().offset(), failed);
    }

    private static SessionFinishedException finished(RuntimeException error) {
        return error instanceof SessionFinishedException finished
                ? finished
                : new SessionFinishedException(error.toString(), error);
    }

    private void rewind() {
        Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
        tasks.values().forEach(task -> committed.put(task.partition(), task.committed()));
        try {
            session.rewind(committed);
        } catch (RuntimeException e) {
            throw new SessionFinishedException("the interval could not be aborted: " + e.getMessage(), e);
        }
        tasks.values().forEach(LogTask::rewound);
        intervalStartMs = SystemTime.monotonicMs();
    }

    private void rewindQuietly() {
        try {
            rewind();
        } catch (SessionFinishedException e) {
            LOG.debug("the open transaction is left to its timeout", e);
        }
    }

    @Override
    public void assigned(Map<TopicPartition, OffsetAndMetadata> committed) {
        closeTasks();
        committed.forEach((partition, offset) -> {
            checkKnown(partition);
            LogTask task = new LogTask(workspace, stage(partition), partition, offset);
            tasks.put(partition, task);
            if (restoration.add(task)) {
                session.pause(Set.of(partition));
            }
        });
        note = restoration.isIdle() ? "running" : "restoring";
        LOG.info("assigned {}", committed.keySet());
    }

    /** A changelog or a downstream topic made for fewer partitions would take its records in the wrong place. */
    private void checkKnown(TopicPartition partition) {
        int known = workspace.topics().topics().get(partition.topic()).partitions();
        if (partition.partition() >= known) {
            throw new JobStoppedException(
                    "topic %s has got partition %d while the job ran; it had %d partitions when the job started. Start the job again, and it says whether it can go on"
                            .formatted(partition.topic(), partition.partition(), known));
        }
    }

    private Stage.OfLog stage(TopicPartition partition) {
        return workspace.plan().logStages().stream()
                .filter(stage -> stage.source().name().equals(partition.topic()))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void revoking() {
        try {
            commit();
        } finally {
            closeTasks();
        }
    }

    @Override
    public void lost() {
        LOG.warn("partitions were given to others meanwhile; the open interval is dropped");
        rewindQuietly();
        closeTasks();
    }

    private void closeTasks() {
        restoration.forgetAll();
        List.copyOf(tasks.values()).forEach(LogTask::close);
        tasks.clear();
    }
}
