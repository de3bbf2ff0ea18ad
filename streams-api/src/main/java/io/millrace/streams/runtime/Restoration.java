package io.millrace.streams.runtime;

import io.millrace.streams.state.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rolls states forward along their changelogs while the worker keeps polling. The goal is the high watermark at the
 * time of the assignment, compared with the reader's position, which also passes markers and aborted records; a
 * transaction that is still open below the goal is waited for.
 */
final class Restoration implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Restoration.class);

    private final Workspace workspace;
    private final Map<LogTask, Map<TopicPartition, Long>> goals = new LinkedHashMap<>();
    private Consumer<byte[], byte[]> reader;

    Restoration(Workspace workspace) {
        this.workspace = workspace;
    }

    /** Returns false if the states are complete as they are. */
    boolean add(LogTask task) {
        Map<TopicPartition, Long> from = task.states().restoreFrom();
        if (from.isEmpty()) {
            return false;
        }
        Map<TopicPartition, Long> ends = highWatermarks(from);
        for (Map.Entry<TopicPartition, Long> changelog : from.entrySet()) {
            if (changelog.getValue() > ends.get(changelog.getKey())) {
                LOG.warn(
                        "the state of {} stands for offset {} of {}, which ends at {}: it is built again from the beginning",
                        task.partition(),
                        changelog.getValue(),
                        changelog.getKey(),
                        ends.get(changelog.getKey()));
                task.states().startOver(changelog.getKey());
            }
        }
        if (task.states().restoreFrom().equals(ends)) {
            return false;
        }
        goals.put(task, ends);
        assign();
        return true;
    }

    boolean isIdle() {
        return goals.isEmpty();
    }

    /** One poll; returns the tasks whose states are complete now. */
    List<LogTask> step(Duration timeout) {
        ConsumerRecords<byte[], byte[]> records = reader.poll(timeout);
        List<LogTask> complete = new ArrayList<>();
        for (Map.Entry<LogTask, Map<TopicPartition, Long>> entry : goals.entrySet()) {
            boolean done = true;
            for (Map.Entry<TopicPartition, Long> goal : entry.getValue().entrySet()) {
                long position = apply(entry.getKey(), goal.getKey(), records);
                done &= position >= goal.getValue();
            }
            if (done) {
                complete.add(entry.getKey());
            }
        }
        if (!complete.isEmpty()) {
            goals.keySet().removeAll(complete);
            assign();
        }
        return complete;
    }

    private long apply(LogTask task, TopicPartition changelog, ConsumerRecords<byte[], byte[]> records) {
        long position = reader.position(changelog);
        List<Change> changes = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : records.records(changelog)) {
            changes.add(new Change(record.key(), record.value()));
        }
        workspace.counters().restored.add(changes.size());
        if (position > task.states().restoreFrom().get(changelog)) {
            task.states().restore(changelog, changes, position);
        }
        return position;
    }

    private void assign() {
        if (goals.isEmpty()) {
            close();
            return;
        }
        if (reader == null) {
            reader = workspace.clients().restorer();
        }
        Map<TopicPartition, Long> from = new HashMap<>();
        goals.keySet().forEach(task -> from.putAll(task.states().restoreFrom()));
        reader.assign(from.keySet());
        from.forEach(reader::seek);
    }

    private Map<TopicPartition, Long> highWatermarks(Map<TopicPartition, Long> changelogs) {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        changelogs.keySet().forEach(changelog -> latest.put(changelog, OffsetSpec.latest()));
        Map<TopicPartition, Long> ends = new HashMap<>();
        AdminCalls.get(workspace
                        .admin()
                        .listOffsets(latest, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                        .all())
                .forEach((changelog, info) -> ends.put(changelog, info.offset()));
        return ends;
    }

    /** Their partitions are gone; what was restored stays on disk with its position. */
    void forgetAll() {
        goals.clear();
        close();
    }

    @Override
    public void close() {
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }
}
