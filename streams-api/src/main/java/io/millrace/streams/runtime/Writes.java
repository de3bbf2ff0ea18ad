package io.millrace.streams.runtime;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** What became of the sends of one interval. Filled by the producer's thread, read by the worker after a flush. */
final class Writes {
    private final AtomicReference<WriteFailedException> failure = new AtomicReference<>();
    private final Map<TopicPartition, Long> nextOffsets = new ConcurrentHashMap<>();

    /** The origin is null for a changelog. */
    void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record, Origin origin) {
        try {
            Future<?> unused =
                    producer.send(record, origin == null ? changelog(record) : output(record.topic(), origin));
        } catch (KafkaException e) {
            throwFailure(); // says which record it was; this exception only says that there was one before
            throw e;
        }
    }

    private Callback output(String topic, Origin origin) {
        return (metadata, error) -> {
            if (error != null) {
                failure.compareAndSet(null, new WriteFailedException(topic, origin, error));
            }
        };
    }

    private Callback changelog(ProducerRecord<byte[], byte[]> record) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        return (metadata, error) -> {
            if (error != null) {
                failure.compareAndSet(null, new WriteFailedException(record.topic(), null, error));
            } else if (metadata.hasOffset()) {
                nextOffsets.merge(partition, metadata.offset() + 1, Math::max);
            }
        };
    }

    void throwFailure() {
        WriteFailedException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }

    Map<TopicPartition, Long> drain() {
        Map<TopicPartition, Long> drained = new HashMap<>(nextOffsets);
        nextOffsets.clear();
        failure.set(null);
        return drained;
    }
}
