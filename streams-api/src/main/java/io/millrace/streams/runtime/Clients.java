package io.millrace.streams.runtime;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Every Kafka client of a job, and all that is configured about them. */
final class Clients {
    /** Longest wait of one call; the runtime repeats calls itself, so that it can stop in between. */
    static final Duration CALL_TIMEOUT = Duration.ofSeconds(15);

    private static final int LARGEST_REQUEST_BYTES = 64 << 20; // the broker's own limit decides, not the client's

    private final JobSettings settings;

    Clients(JobSettings settings) {
        this.settings = settings;
    }

    Admin admin() {
        return Admin.create(common());
    }

    /** A member of a group. What it reads is committed, where it begins is decided by its owner. */
    Consumer<byte[], byte[]> member(String group, String instanceId, SlotHolder holder) {
        Map<String, Object> config = reader();
        config.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        config.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, instanceId);
        config.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
        config.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, SlotAssignor.class.getName());
        config.put(SlotHolder.CONFIG, holder);
        long sessionMs = settings.timing().sessionTimeout().toMillis();
        config.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, (int) sessionMs);
        config.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, (int) sessionMs / 5);
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1000);
        // the runtime says where to begin; an offset that the log no longer has must be noticed, not skipped
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        config.put(ConsumerConfig.CLIENT_ID_CONFIG, instanceId);
        return new KafkaConsumer<>(config);
    }

    /** Reads changelogs; belongs to no group. */
    Consumer<byte[], byte[]> restorer() {
        Map<String, Object> config = reader();
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 10_000);
        return new KafkaConsumer<>(config);
    }

    Producer<byte[], byte[]> transactional(String transactionalId) {
        Map<String, Object> config = writer();
        config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        config.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int)
                settings.timing().transactionTimeout().toMillis());
        return new KafkaProducer<>(config);
    }

    Producer<byte[], byte[]> plain() {
        return new KafkaProducer<>(writer());
    }

    private Map<String, Object> reader() {
        Map<String, Object> config = common();
        config.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        config.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        config.put(
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                IsolationLevel.READ_COMMITTED.toString().toLowerCase(Locale.ROOT));
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) CALL_TIMEOUT.toMillis());
        return config;
    }

    private Map<String, Object> writer() {
        Map<String, Object> config = common();
        config.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        config.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        config.put(ProducerConfig.BATCH_SIZE_CONFIG, 64 << 10);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, LARGEST_REQUEST_BYTES);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, CALL_TIMEOUT.toMillis());
        return config;
    }

    private Map<String, Object> common() {
        Map<String, Object> config = new HashMap<>(settings.client());
        config.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrap());
        config.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        // a broker that restarts is back within a second or so; the default backs off to ten
        config.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1000L);
        return config;
    }
}
