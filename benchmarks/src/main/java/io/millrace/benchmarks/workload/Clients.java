package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.side.Side;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The same stock clients for every side; what is not said here or by the workload is the client's default. */
final class Clients {
    /** Fills its batches, for preparing inputs. */
    static final Map<String, Object> IN_BULK =
            Map.of("batch.size", 131_072, "linger.ms", 20, "buffer.memory", 134_217_728L);

    private static final int PATIENCE_MS = 300_000;
    private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(50);

    private Clients() {}

    static KafkaProducer<byte[], byte[]> producer(Side side, Map<String, Object> settings) {
        return new KafkaProducer<>(
                with(side, settings, Map.of("acks", "all")), new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Sends as fast as it can and returns when all is acknowledged. @return seconds it took, without the connecting */
    static double send(
            Side side, Map<String, Object> settings, int count, IntFunction<ProducerRecord<byte[], byte[]>> record)
            throws Exception {
        Failures failures = new Failures();
        try (KafkaProducer<byte[], byte[]> producer = producer(side, settings)) {
            producer.partitionsFor(record.apply(0).topic());
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                producer.send(record.apply(i), failures);
            }
            producer.flush();
            failures.check();
            return Seconds.since(start);
        }
    }

    static KafkaConsumer<byte[], byte[]> consumer(Side side, Map<String, Object> settings) {
        return new KafkaConsumer<>(
                with(side, settings, Map.of()), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    static Admin admin(Side side) {
        return admin(side.bootstrap());
    }

    static Admin admin(String bootstrap) {
        return Admin.create(Map.of(
                "bootstrap.servers", bootstrap,
                "request.timeout.ms", PATIENCE_MS,
                "default.api.timeout.ms", PATIENCE_MS,
                "reconnect.backoff.max.ms", 50));
    }

    /** With as many replicas as the side's default says. */
    static void createTopic(Side side, String topic, int partitions) throws Exception {
        createTopic(side, topic, partitions, Map.of());
    }

    static void createTopic(Side side, String topic, int partitions, Map<String, String> config) throws Exception {
        try (Admin admin = admin(side)) {
            NewTopic wanted = new NewTopic(topic, Optional.of(partitions), Optional.empty()).configs(config);
            admin.createTopics(List.of(wanted)).all().get();
            awaitServing(admin, partitions(topic, partitions));
        }
    }

    /**
     * Returns when every partition answers. A leader in the metadata does not prove that the log is open, and a producer that comes
     * before may have its first batch refused and its second one taken, which Apache Kafka never gets out of.
     */
    static void awaitServing(Admin admin, Collection<TopicPartition> partitions) throws InterruptedException {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        partitions.forEach(partition -> latest.put(partition, OffsetSpec.latest()));
        while (!serves(admin, latest)) {
            Thread.sleep(BETWEEN_QUESTIONS.toMillis());
        }
    }

    private static boolean serves(Admin admin, Map<TopicPartition, OffsetSpec> latest) throws InterruptedException {
        try {
            return admin.listOffsets(latest).all().get().size() == latest.size();
        } catch (ExecutionException e) {
            return false;
        }
    }

    static void deleteTopics(Side side, Collection<String> topics) throws ExecutionException, InterruptedException {
        try (Admin admin = admin(side)) {
            admin.deleteTopics(topics).all().get();
        }
    }

    /** Topics whose names begin so: a job's own ones. */
    static void deleteTopicsOf(Side side, String prefix) throws ExecutionException, InterruptedException {
        try (Admin admin = admin(side)) {
            List<String> names = admin.listTopics().names().get().stream()
                    .filter(name -> name.startsWith(prefix))
                    .toList();
            admin.deleteTopics(names).all().get();
        }
    }

    static List<TopicPartition> partitions(String topic, int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> new TopicPartition(topic, number))
                .toList();
    }

    private static Map<String, Object> with(Side side, Map<String, Object> settings, Map<String, Object> more) {
        Map<String, Object> all = new HashMap<>(more);
        all.putAll(settings);
        all.put("bootstrap.servers", side.bootstrap());
        return all;
    }
}
