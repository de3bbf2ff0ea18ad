package io.millrace.streams.runtime;

import io.millrace.streams.FormatException;
import io.millrace.streams.Topic;
import io.millrace.streams.operator.OperatorChain;
import io.millrace.streams.operator.TaskContext;
import io.millrace.streams.plan.Stage;
import io.millrace.streams.state.StateStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stage on one partition. What a record does (outputs, changes of state) is collected while it passes the operators
 * and handed on when it has passed all of them; a record that fails leaves nothing but its dead letter.
 */
final class LogTask implements TaskContext {
    private static final Logger LOG = LoggerFactory.getLogger(LogTask.class);
    private static final Duration PAUSE_BETWEEN_ATTEMPTS = Duration.ofMillis(20);

    private final Workspace workspace;
    private final Stage.OfLog stage;
    private final TopicPartition partition;
    private final TaskStates states;
    private final OperatorChain chain;
    private final BudgetWindow budget;
    private final TaskOutputs outputs = new TaskOutputs();
    /** Records that the log refused to take the outputs of: dead letters when they come again. By offset. */
    private final Map<Long, RuntimeException> condemned = new HashMap<>();

    private OffsetAndMetadata committed;
    private long next;
    /** Of the open interval; counters that others read are not touched for each record. */
    private long processed;

    private long written;
    private Optional<Integer> leaderEpoch = Optional.empty();

    LogTask(Workspace workspace, Stage.OfLog stage, TopicPartition partition, OffsetAndMetadata committed) {
        this.workspace = workspace;
        this.stage = stage;
        this.partition = partition;
        this.states = TaskStates.open(workspace, stage, partition);
        this.chain = new OperatorChain(stage, this);
        this.budget = new BudgetWindow(workspace.settings().failures().budget());
        this.committed = committed;
        rewound();
    }

    TopicPartition partition() {
        return partition;
    }

    TaskStates states() {
        return states;
    }

    void process(ConsumerRecord<byte[], byte[]> record, LogSession session) {
        RuntimeException failure = condemned.isEmpty() ? null : condemned.get(record.offset());
        if (failure == null) {
            failure = attempt(record);
        }
        if (failure == null) {
            budget.good();
            written += outputs.sendRecord(session, origin(record));
        } else {
            outputs.dropRecord();
            bury(record, failure, session);
        }
        next = record.offset() + 1;
        leaderEpoch = record.leaderEpoch();
        processed++;
    }

    private RuntimeException attempt(ConsumerRecord<byte[], byte[]> record) {
        int attempts = workspace.settings().failures().attempts();
        for (int attempt = 1; ; attempt++) {
            states.beginRecord();
            try {
                read(record);
                return null;
            } catch (RuntimeException e) {
                // whatever user code throws speaks of this record, and only of it
                states.undoRecord();
                outputs.dropRecord();
                if (e instanceof FormatException || attempt >= attempts) {
                    return e;
                }
                SystemTime.pause(PAUSE_BETWEEN_ATTEMPTS);
            }
        }
    }

    private void read(ConsumerRecord<byte[], byte[]> record) {
        Topic<?, ?> source = stage.source();
        Object key = source.keyFormat().readNullable(source.name(), record.key());
        Object value = source.valueFormat().readNullable(source.name(), record.value());
        chain.process(key, value, record.timestamp());
    }

    private void bury(ConsumerRecord<byte[], byte[]> record, RuntimeException failure, LogSession session) {
        budget.bad();
        if (budget.exhausted()) {
            throw new JobStoppedException(
                    "stage %s gives up at %s offset %d, since %s; the last error: %s. Repair the input or the job, or raise the budget"
                            .formatted(stage.name(), partition, record.offset(), budget.describe(), failure),
                    failure);
        }
        LOG.warn(
                "{} offset {} goes to {}: {}",
                partition,
                record.offset(),
                workspace.plan().deadLetterTopic(),
                failure.toString());
        session.send(DeadLetters.letter(workspace.plan(), stage.name(), record, failure), origin(record));
        workspace.counters().deadLetters.increment();
    }

    private Origin origin(ConsumerRecord<?, ?> record) {
        return new Origin(partition, record.offset());
    }

    /** What waits for the commit: the latest outputs, and the changes of the states for their changelogs. */
    void sendWaiting(LogSession session) {
        written += outputs.sendWaiting(session);
        states.changelogRecords().forEach(change -> session.send(change, null));
    }

    /** The log will never take an output of the record at this offset. */
    void condemn(long offset, RuntimeException failure) {
        condemned.put(offset, failure);
    }

    /**
     * Markers and aborted records behind the last one belong to what has been read. They may be of a later leader epoch than
     * it is: a consumer that begins at their end with the record's epoch is told that its log was cut off.
     */
    void readUpTo(OffsetAndMetadata position) {
        if (position.offset() > next) {
            next = position.offset();
            leaderEpoch = position.leaderEpoch();
        }
    }

    boolean hasNews() {
        return committed == null ? next > 0 : next > committed.offset();
    }

    OffsetAndMetadata committed() {
        return committed;
    }

    OffsetAndMetadata position() {
        return new OffsetAndMetadata(next, leaderEpoch, budget.save());
    }

    void committed(OffsetAndMetadata position, Map<TopicPartition, Long> changelogEnds) {
        committed = position;
        condemned.keySet().removeIf(offset -> offset < position.offset());
        states.committed(changelogEnds);
        workspace.counters().processed.add(processed);
        workspace.counters().written.add(written);
        processed = 0;
        written = 0;
    }

    /** The transaction was aborted: as if nothing had been read since the last commit. */
    void rewound() {
        states.clear();
        outputs.clear();
        processed = 0;
        written = 0;
        next = committed == null ? 0 : committed.offset();
        leaderEpoch = committed == null ? Optional.empty() : committed.leaderEpoch();
        budget.load(committed == null ? "" : committed.metadata());
    }

    void close() {
        states.close();
    }

    @Override
    public StateStore state(String name) {
        return states.store(name);
    }

    @Override
    public void send(String topic, byte[] key, byte[] value, long timestampMs) {
        outputs.add(record(topic, key, value, timestampMs));
    }

    @Override
    public void sendLatest(int step, String topic, byte[] key, byte[] value, long timestampMs) {
        outputs.addLatest(step, record(topic, key, value, timestampMs));
    }

    private static ProducerRecord<byte[], byte[]> record(String topic, byte[] key, byte[] value, long timestampMs) {
        return new ProducerRecord<>(topic, null, timestampMs < 0 ? null : timestampMs, key, value);
    }

    @Override
    public void late(String state) {
        workspace.counters().dropped("late for " + state);
    }
}
