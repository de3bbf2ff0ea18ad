package io.millrace.streams.runtime;

import io.millrace.streams.Topic;
import io.millrace.streams.sink.SinkBatch;
import io.millrace.streams.sink.SinkRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What a sink worker has read and not yet handed to its writer, and where each partition goes on. */
final class SinkIntake<K, V> {
    private static final int FULL = 10_000;

    private final Topic<K, V> topic;
    private final List<SinkRecord<K, V>> waiting = new ArrayList<>();
    /** For each partition, the first offset that no batch contains yet. */
    private final Map<Integer, Long> from = new TreeMap<>();
    /** For each partition, the offset behind all that was read. */
    private final Map<Integer, Long> read = new HashMap<>();

    SinkIntake(Topic<K, V> topic) {
        this.topic = topic;
    }

    void begin(int partition, long offset) {
        from.put(partition, offset);
        read.put(partition, offset);
    }

    boolean owns(int partition) {
        return from.containsKey(partition);
    }

    void add(ConsumerRecord<byte[], byte[]> record) {
        waiting.add(decode(record));
        read.put(record.partition(), record.offset() + 1);
    }

    /** Also counts markers and aborted records behind the last record. */
    void readUpTo(int partition, long position) {
        read.merge(partition, position, Math::max);
    }

    private SinkRecord<K, V> decode(ConsumerRecord<byte[], byte[]> record) {
        try {
            K key = topic.keyFormat().readNullable(topic.name(), record.key());
            V value = topic.valueFormat().readNullable(topic.name(), record.value());
            return new SinkRecord<>(record, key, value, null);
        } catch (RuntimeException e) {
            return new SinkRecord<>(record, null, null, e); // becomes a dead letter in its turn
        }
    }

    boolean isFull() {
        return waiting.size() >= FULL;
    }

    boolean hasRecords() {
        return !waiting.isEmpty();
    }

    /** Something was read since the last batch, if only markers. */
    boolean hasMoved() {
        return !from.equals(read);
    }

    SinkBatch<K, V> batch(int deadLettersAllowed) {
        Map<Integer, SinkBatch.Range> ranges = new TreeMap<>();
        from.forEach((partition, offset) -> {
            long next = read.get(partition);
            if (next > offset) {
                ranges.put(partition, new SinkBatch.Range(offset, next));
            }
        });
        SinkBatch<K, V> batch = new SinkBatch<>(List.copyOf(waiting), ranges, deadLettersAllowed);
        waiting.clear();
        from.putAll(read);
        return batch;
    }
}
