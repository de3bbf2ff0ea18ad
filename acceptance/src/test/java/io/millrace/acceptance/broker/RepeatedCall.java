package io.millrace.acceptance.broker;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A client that does one thing every few milliseconds, and when it was last answered. */
abstract class RepeatedCall implements AutoCloseable {
    private static final long EVERY_NANOS = Duration.ofMillis(5).toNanos();

    private final AckClock clock = new AckClock();
    private final AtomicLong answers = new AtomicLong();
    private final Thread thread = new Thread(this::run, "repeated-call");
    private volatile boolean stopping;

    /** Begins it. */
    final RepeatedCall started() {
        thread.start();
        return this;
    }

    final AckClock clock() {
        return clock;
    }

    final long answers() {
        return answers.get();
    }

    final void answered() {
        answers.incrementAndGet();
        clock.acknowledged();
    }

    /** Calls {@link #answered}, now or later. */
    abstract void call();

    abstract void closeClient();

    private void run() {
        while (!stopping) {
            try {
                call();
            } catch (KafkaException e) {
                // counts as no answer; the next one may have one
            }
            LockSupport.parkNanos(EVERY_NANOS);
        }
    }

    @Override
    public final void close() throws InterruptedException {
        stopping = true;
        thread.join();
        closeClient();
    }

    /** One record after the other, acknowledged by all in-sync replicas. */
    static RepeatedCall produce(Map<String, Object> clientSettings, TopicPartition partition) {
        KafkaProducer<byte[], byte[]> producer = producer(clientSettings);
        return new RepeatedCall() {
            @Override
            void call() {
                producer.send(record(partition), (metadata, failure) -> {
                    if (failure == null) {
                        answered();
                    }
                });
            }

            @Override
            void closeClient() {
                producer.close(Duration.ZERO);
            }
        }.started();
    }

    /** One transaction of one record after the other, committed. */
    static RepeatedCall commitTransactions(
            Map<String, Object> clientSettings, String transactionalId, TopicPartition partition) {
        Map<String, Object> settings = new HashMap<>(clientSettings);
        settings.put("transactional.id", transactionalId);
        KafkaProducer<byte[], byte[]> producer = producer(settings);
        producer.initTransactions();
        return new RepeatedCall() {
            @Override
            void call() {
                producer.beginTransaction();
                producer.send(record(partition));
                producer.commitTransaction();
                answered();
            }

            @Override
            void closeClient() {
                producer.close(Duration.ZERO);
            }
        }.started();
    }

    /** One offset of a group after the other. */
    static RepeatedCall commitOffsets(Map<String, Object> clientSettings, String group, TopicPartition partition) {
        Map<String, Object> settings = new HashMap<>(clientSettings);
        settings.put("group.id", group);
        settings.put("enable.auto.commit", "false");
        KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.assign(List.of(partition));
        return new RepeatedCall() {
            @Override
            void call() {
                consumer.commitSync(Map.of(partition, new OffsetAndMetadata(answers())));
                answered();
            }

            @Override
            void closeClient() {
                consumer.close();
            }
        }.started();
    }

    private static KafkaProducer<byte[], byte[]> producer(Map<String, Object> clientSettings) {
        Map<String, Object> settings = new HashMap<>(clientSettings);
        settings.put("acks", "all");
        settings.put("linger.ms", "0");
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static ProducerRecord<byte[], byte[]> record(TopicPartition partition) {
        return new ProducerRecord<>(partition.topic(), partition.partition(), null, new byte[100]);
    }
}
