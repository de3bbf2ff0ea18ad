package io.millrace.broker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;

/** The Kafka Java client as the tests use it. */
final class Clients {
    static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(100);

    private final String bootstrap;

    Clients(String bootstrap) {
        this.bootstrap = bootstrap;
    }

    Properties properties(Map<String, Object> more) {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", bootstrap);
        properties.putAll(more);
        return properties;
    }

    Admin admin() {
        return Admin.create(properties(Map.of()));
    }

    void createTopic(String name, int partitions, Map<String, String> settings) throws Exception {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1).configs(settings)))
                    .all()
                    .get();
        }
    }

    void createTopic(String name, int partitions) throws Exception {
        createTopic(name, partitions, Map.of());
    }

    KafkaProducer<String, String> producer(Map<String, Object> more) {
        return new KafkaProducer<>(properties(more), new StringSerializer(), new StringSerializer());
    }

    KafkaProducer<String, String> transactional(String id) {
        return producer(Map.of("transactional.id", id));
    }

    KafkaConsumer<String, String> consumer(Map<String, Object> more) {
        Properties properties = properties(more);
        properties.putIfAbsent("auto.offset.reset", "earliest");
        properties.putIfAbsent("enable.auto.commit", "false");
        return new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer());
    }

    /** The values of a partition, read until the position is at the end that the partition reports. */
    List<String> values(TopicPartition partition, boolean committedOnly) {
        return records(partition, committedOnly).stream()
                .map(ConsumerRecord::value)
                .toList();
    }

    List<ConsumerRecord<String, String>> records(TopicPartition partition, boolean committedOnly) {
        String isolation = committedOnly ? "read_committed" : "read_uncommitted";
        try (KafkaConsumer<String, String> consumer = consumer(Map.of("isolation.level", isolation))) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            List<ConsumerRecord<String, String>> records = new ArrayList<>();
            Awaitility.await("position of " + partition + " reaches " + end)
                    .atMost(PATIENCE)
                    .until(() -> {
                        consumer.poll(POLL).forEach(records::add);
                        return consumer.position(partition) >= end;
                    });
            return records;
        }
    }

    /** Waits for a future of the client and lets its real cause through. */
    static Throwable failureOf(Future<?> future) throws InterruptedException {
        try {
            future.get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }
}
