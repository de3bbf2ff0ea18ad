package io.millrace.examples;

import static io.millrace.examples.FlightDelays.FLIGHTS;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Loads the file into the topic, each flight once, however often it is run or killed. Chunks are transactions of one
 * transactional id, so a successor first aborts what its predecessor left open, and then finds in the topic itself how
 * far it had come.
 */
final class FlightLoader {
    private static final int PARTITIONS = 4;
    private static final int CHUNK = 500;

    private final String bootstrap;
    private final long flightsPerSecond;

    /**
     * A loader for this cluster.
     *
     * @param flightsPerSecond 0 for as fast as possible
     */
    FlightLoader(String bootstrap, long flightsPerSecond) {
        this.bootstrap = bootstrap;
        this.flightsPerSecond = flightsPerSecond;
    }

    void createTopic() throws InterruptedException, ExecutionException {
        // flights of 2001 are older than any retention
        NewTopic topic = new NewTopic(FLIGHTS.name(), Optional.of(PARTITIONS), Optional.empty())
                .configs(Map.of("retention.ms", "-1"));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(topic)).all().get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
    }

    /** Returns how many flights had to be loaded. */
    int load(List<Flight> flights) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                bootstrap,
                "transactional.id",
                "flight-loader",
                "transaction.timeout.ms",
                10_000,
                "key.serializer",
                ByteArraySerializer.class,
                "value.serializer",
                ByteArraySerializer.class);
        try (Producer<byte[], byte[]> producer = new KafkaProducer<>(config)) {
            producer.initTransactions();
            int first = loaded();
            int next = first;
            while (next < flights.size()) {
                int end = Math.min(next + CHUNK, flights.size());
                loadChunk(producer, flights, next, end);
                if (flightsPerSecond > 0) {
                    LockSupport.parkNanos(Duration.ofSeconds(end - next).toNanos() / flightsPerSecond);
                }
                next = end;
            }
            return next - first;
        }
    }

    private static void loadChunk(Producer<byte[], byte[]> producer, List<Flight> flights, int from, int to) {
        producer.beginTransaction();
        for (int number = from; number < to; number++) {
            Flight flight = flights.get(number);
            Future<?> unused = producer.send(new ProducerRecord<>(
                    FLIGHTS.name(),
                    null,
                    flight.departure().toEpochMilli(),
                    FLIGHTS.keyFormat().write(FLIGHTS.name(), number),
                    FLIGHTS.valueFormat().write(FLIGHTS.name(), flight)));
        }
        producer.commitTransaction();
    }

    /** Chunks are committed in order, so all flights below the highest committed number are there. */
    private int loaded() {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                bootstrap,
                "isolation.level",
                "read_committed",
                "key.deserializer",
                ByteArrayDeserializer.class,
                "value.deserializer",
                ByteArrayDeserializer.class);
        int loaded = 0;
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(config)) {
            List<TopicPartition> partitions = new ArrayList<>();
            consumer.partitionsFor(FLIGHTS.name())
                    .forEach(info -> partitions.add(new TopicPartition(info.topic(), info.partition())));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    loaded = Math.max(loaded, FLIGHTS.keyFormat().read(FLIGHTS.name(), record.key()) + 1);
                }
            }
        }
        return loaded;
    }
}
