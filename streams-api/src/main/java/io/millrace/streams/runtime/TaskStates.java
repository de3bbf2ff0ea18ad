package io.millrace.streams.runtime;

import io.millrace.streams.plan.Stage;
import io.millrace.streams.state.Change;
import io.millrace.streams.state.ChangelogPosition;
import io.millrace.streams.state.Overlay;
import io.millrace.streams.state.StateException;
import io.millrace.streams.state.StateStore;
import io.millrace.streams.state.TaskDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** The states of one task, and how they meet their changelogs. A task without state has an empty one. */
final class TaskStates {
    private static final Duration OPEN_PATIENCE = Duration.ofSeconds(10);

    private final TaskDatabase database;
    private final Map<String, Overlay> overlays = new LinkedHashMap<>();
    private final Map<String, TopicPartition> changelogs = new LinkedHashMap<>();
    private final Map<String, ChangelogPosition> positions = new HashMap<>();

    private TaskStates(TaskDatabase database) {
        this.database = database;
    }

    static TaskStates open(Workspace workspace, Stage.OfLog stage, TopicPartition partition) {
        if (stage.states().isEmpty()) {
            return new TaskStates(null);
        }
        Path dir = workspace.stateDir().task(partition.topic(), partition.partition());
        TaskStates states = new TaskStates(patiently(dir, stage.states(), workspace));
        for (String state : stage.states()) {
            String topic = workspace.plan().changelogTopic(state);
            states.add(
                    state,
                    new TopicPartition(topic, partition.partition()),
                    workspace.topics().id(topic));
        }
        return states;
    }

    /** Another worker of this process may still be letting go of the partition. */
    private static TaskDatabase patiently(Path dir, List<String> names, Workspace workspace) {
        long untilMs = SystemTime.monotonicMs() + OPEN_PATIENCE.toMillis();
        while (true) {
            try {
                return TaskDatabase.open(dir, names, workspace.memory());
            } catch (StateException e) {
                if (SystemTime.monotonicMs() > untilMs) {
                    throw e;
                }
                SystemTime.pause(Duration.ofMillis(100));
            }
        }
    }

    private void add(String state, TopicPartition changelog, Uuid topicId) {
        ChangelogPosition start =
                new ChangelogPosition(topicId.getMostSignificantBits(), topicId.getLeastSignificantBits(), 0);
        ChangelogPosition stored = database.position(state);
        if (stored != null && !stored.sameTopic(start)) {
            database.forget(state); // made from a changelog that no longer exists
            stored = null;
        }
        positions.put(state, stored == null ? start : stored);
        changelogs.put(state, changelog);
        overlays.put(state, new Overlay(database.committed(state)));
    }

    StateStore store(String name) {
        return overlays.get(name);
    }

    void beginRecord() {
        overlays.values().forEach(Overlay::beginRecord);
    }

    void undoRecord() {
        overlays.values().forEach(Overlay::undoRecord);
    }

    void clear() {
        overlays.values().forEach(Overlay::clear);
    }

    /** For each changelog, where its store is: the next record that it does not contain. */
    Map<TopicPartition, Long> restoreFrom() {
        Map<TopicPartition, Long> from = new LinkedHashMap<>();
        changelogs.forEach(
                (state, changelog) -> from.put(changelog, positions.get(state).next()));
        return from;
    }

    /** Applies what a changelog holds up to, not including, an offset. */
    void restore(TopicPartition changelog, List<Change> changes, long next) {
        changelogs.forEach((state, topic) -> {
            if (topic.equals(changelog)) {
                ChangelogPosition position = positions.get(state).at(next);
                database.write(Map.of(state, changes), Map.of(state, position));
                positions.put(state, position);
            }
        });
    }

    /** The changelog is shorter than what this store was made from, so it was not made from this one. */
    void startOver(TopicPartition changelog) {
        changelogs.forEach((state, topic) -> {
            if (topic.equals(changelog)) {
                database.forget(state);
                positions.compute(state, (name, position) -> position.at(0));
            }
        });
    }

    List<ProducerRecord<byte[], byte[]>> changelogRecords() {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        overlays.forEach((state, overlay) -> {
            TopicPartition changelog = changelogs.get(state);
            for (Change change : overlay.changes()) {
                records.add(
                        new ProducerRecord<>(changelog.topic(), changelog.partition(), change.key(), change.value()));
            }
        });
        return records;
    }

    /** The interval is in the log; now, and not before, it goes to disk, in one piece. */
    void committed(Map<TopicPartition, Long> written) {
        Map<String, List<Change>> changes = new LinkedHashMap<>();
        overlays.forEach((state, overlay) -> {
            if (!overlay.isEmpty()) {
                changes.put(state, overlay.changes());
                Long next = written.get(changelogs.get(state));
                if (next != null) {
                    positions.compute(state, (name, position) -> position.at(next));
                }
            }
        });
        if (!changes.isEmpty()) {
            database.write(changes, positions);
        }
        overlays.values().forEach(Overlay::committed);
    }

    void close() {
        if (database != null) {
            database.close();
        }
    }
}
