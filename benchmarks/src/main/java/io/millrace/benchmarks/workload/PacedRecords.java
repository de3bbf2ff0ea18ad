package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.measure.Latencies;
import io.millrace.benchmarks.side.Side;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Records at a fixed rate, each with the moment at which it was due, and a consumer that reads them at once. A record that is sent
 * late counts from when it was due, so a stall is seen in all records that it delays.
 */
final class PacedRecords {
    private static final int STAMP_BYTES = Long.BYTES;

    private final Latencies acknowledged = new Latencies();
    private final Latencies read = new Latencies();

    private PacedRecords() {}

    Latencies acknowledged() {
        return acknowledged;
    }

    Latencies read() {
        return read;
    }

    /** Sends for the given time and returns when everything was read. The topic has one partition. */
    static PacedRecords run(Side side, String topic, int bytes, int ratePerSecond, Duration time) throws Exception {
        PacedRecords paced = new PacedRecords();
        long count = Math.max(1, time.toMillis() * ratePerSecond / 1000);
        try (KafkaProducer<byte[], byte[]> producer = Clients.producer(side, Map.of("linger.ms", 0));
                KafkaConsumer<byte[], byte[]> consumer = Clients.consumer(side, Map.of())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToEnd(List.of(partition));
            consumer.position(partition);
            producer.partitionsFor(topic);
            Failures failures = new Failures();
            Thread sender = new Thread(() -> paced.send(producer, failures, topic, bytes, ratePerSecond, count));
            sender.start();
            paced.readAll(consumer, count);
            sender.join();
            producer.flush();
            failures.check();
        }
        return paced;
    }

    private void send(
            KafkaProducer<byte[], byte[]> producer,
            Failures failures,
            String topic,
            int bytes,
            int ratePerSecond,
            long count) {
        long interval = 1_000_000_000L / ratePerSecond;
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long due = start + i * interval;
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            byte[] value = ByteBuffer.allocate(Math.max(bytes, STAMP_BYTES))
                    .putLong(due)
                    .array();
            producer.send(new ProducerRecord<>(topic, 0, null, value), (metadata, exception) -> {
                failures.onCompletion(metadata, exception);
                acknowledged.add(System.nanoTime() - due);
            });
        }
    }

    private void readAll(KafkaConsumer<byte[], byte[]> consumer, long count) {
        while (read.count() < count) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
                read.add(System.nanoTime() - ByteBuffer.wrap(record.value()).getLong());
            }
        }
    }
}
