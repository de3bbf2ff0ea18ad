package io.millrace.streams.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** One input partition, what is committed of outputs and offsets, and sessions on it that fail where they are told to. */
final class FakeLog {
    static final TopicPartition INPUT = new TopicPartition("in", 0);

    private static final int POLL = 3;

    final List<String> committed = new ArrayList<>();
    final List<String> events = new ArrayList<>();
    private final List<String> input;
    private final Deque<RuntimeException> commitFaults = new ArrayDeque<>();
    private Optional<Integer> markerEpoch = Optional.empty();
    private OffsetAndMetadata offset;
    private String refused = "";
    private RuntimeException refusal;

    FakeLog(String... input) {
        this.input = List.of(input);
    }

    /** The next commits fail with these, one after the other; after that they succeed. */
    FakeLog failCommits(RuntimeException... faults) {
        commitFaults.addAll(List.of(faults));
        return this;
    }

    /** Commits with an output of this value fail, since the log does not take it. */
    FakeLog refuse(String value, RuntimeException error) {
        refused = value;
        refusal = error;
        return this;
    }

    /** Behind the last record, which has no epoch, stands a marker that a leader of this epoch wrote. */
    FakeLog endWithMarker(int epoch) {
        markerEpoch = Optional.of(epoch);
        return this;
    }

    boolean isRead() {
        return offset != null && offset.offset() == end().offset();
    }

    private OffsetAndMetadata end() {
        return new OffsetAndMetadata(input.size() + (markerEpoch.isPresent() ? 1 : 0), markerEpoch, "");
    }

    Optional<Integer> leaderEpoch() {
        return offset.leaderEpoch();
    }

    long offset() {
        return offset == null ? 0 : offset.offset();
    }

    LogSession open(LogSession.Ownership ownership) {
        events.add("session");
        return new Session(ownership);
    }

    private final class Session implements LogSession {
        private final Ownership ownership;
        private final List<String> pending = new ArrayList<>();
        private boolean assigned;
        private long position;
        private WriteFailedException failure;

        Session(Ownership ownership) {
            this.ownership = ownership;
        }

        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            if (!assigned) {
                assigned = true;
                position = FakeLog.this.offset();
                ownership.assigned(java.util.Collections.singletonMap(INPUT, offset));
            }
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            while (position < input.size() && records.size() < POLL) {
                byte[] value = input.get((int) position).getBytes(UTF_8);
                records.add(new ConsumerRecord<>(INPUT.topic(), INPUT.partition(), position, null, value));
                position++;
            }
            if (position == input.size()) {
                position = end().offset();
            }
            return new ConsumerRecords<>(
                    records.isEmpty() ? Map.of() : Map.of(INPUT, records),
                    Map.of(INPUT, new OffsetAndMetadata(position)));
        }

        @Override
        public void send(ProducerRecord<byte[], byte[]> record, Origin origin) {
            String value = new String(record.value(), UTF_8);
            if (value.equals(refused) && !record.topic().endsWith("dead-letters")) {
                failure = new WriteFailedException(record.topic(), origin, refusal);
            }
            pending.add(record.topic() + " " + value);
        }

        @Override
        public Map<TopicPartition, Long> commit(Map<TopicPartition, OffsetAndMetadata> positions) {
            if (failure != null) {
                throw failure;
            }
            if (!commitFaults.isEmpty()) {
                throw commitFaults.pop();
            }
            committed.addAll(pending);
            pending.clear();
            offset = positions.get(INPUT);
            return Map.of();
        }

        @Override
        public void rewind(Map<TopicPartition, OffsetAndMetadata> to) {
            events.add("rewind");
            pending.clear();
            failure = null;
            position = to.get(INPUT) == null ? 0 : to.get(INPUT).offset();
        }

        @Override
        public OffsetAndMetadata position(TopicPartition partition) {
            return position == end().offset() ? end() : new OffsetAndMetadata(position);
        }

        @Override
        public void pause(Set<TopicPartition> partitions) {}

        @Override
        public void resume(Set<TopicPartition> partitions) {}

        @Override
        public void leaveGroupOnClose() {
            events.add("leave");
        }

        @Override
        public void close() {
            events.add("close");
        }
    }
}
