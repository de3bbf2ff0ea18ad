package io.millrace.acceptance.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Flights one after the other at a steady pace until it is told to stop, the file again and again, numbered on. An
 * idempotent producer that never gives up: what was fed is there once, whatever happens to the brokers, so that the
 * number of flights says everything about the input.
 */
final class FlightFeed implements AutoCloseable {
    private static final String TOPIC = "flights";
    private static final int PARTITIONS = 4;
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm");
    private static final Duration FOR_EVER = Duration.ofHours(12);

    private final JsonNode file = FlightBatch.file();
    private final KafkaProducer<Integer, String> producer;
    private final long pauseNanos;
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final List<Exception> failures = new CopyOnWriteArrayList<>();
    private final Thread thread = new Thread(this::run, "flight-feed");
    private volatile boolean stopping;
    private int fed;

    FlightFeed(String bootstrap, int flightsPerSecond) throws Exception {
        createTopic(bootstrap);
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", bootstrap);
        settings.put("acks", "all");
        settings.put("linger.ms", "5");
        settings.put("max.block.ms", FOR_EVER.toMillis());
        settings.put("delivery.timeout.ms", (int) FOR_EVER.toMillis());
        settings.put("reconnect.backoff.max.ms", "200");
        producer = new KafkaProducer<>(settings, new IntegerSerializer(), new StringSerializer());
        pauseNanos = Duration.ofSeconds(1).toNanos() / flightsPerSecond;
    }

    private static void createTopic(String bootstrap) throws Exception {
        // flights of 2001 are older than any retention
        NewTopic topic =
                new NewTopic(TOPIC, Optional.of(PARTITIONS), Optional.empty()).configs(Map.of("retention.ms", "-1"));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(topic)).all().get();
        }
    }

    void start() {
        thread.start();
    }

    int acknowledged() {
        return acknowledged.get();
    }

    private void run() {
        while (!stopping && failures.isEmpty()) {
            producer.send(record(fed++), (metadata, failure) -> {
                if (failure == null) {
                    acknowledged.incrementAndGet();
                } else {
                    failures.add(failure);
                }
            });
            LockSupport.parkNanos(pauseNanos);
        }
        producer.flush();
    }

    private ProducerRecord<Integer, String> record(int number) {
        JsonNode flight = file.get(number % file.size());
        long departureMs = LocalDateTime.parse(flight.get("date").asText(), DATE)
                .toInstant(ZoneOffset.UTC)
                .toEpochMilli();
        return new ProducerRecord<>(TOPIC, null, departureMs, number, flight.toString());
    }

    /** Returns how many flights there are in the topic now, all acknowledged. */
    int stop() throws InterruptedException, IOException {
        stopping = true;
        thread.join();
        if (!failures.isEmpty() || acknowledged.get() != fed) {
            throw new IOException(
                    "of %,d flights %,d were acknowledged".formatted(fed, acknowledged.get()),
                    failures.isEmpty() ? null : failures.get(0));
        }
        return fed;
    }

    @Override
    public void close() {
        stopping = true;
        producer.close(Duration.ZERO);
    }
}
