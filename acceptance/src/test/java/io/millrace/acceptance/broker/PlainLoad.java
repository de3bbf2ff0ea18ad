package io.millrace.acceptance.broker;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** A producer that counts upwards into one partition until it is told to stop. */
final class PlainLoad implements Runnable {
    private final String bootstrap;
    private final String topic;
    private final boolean idempotent;
    private final AckClock clock = new AckClock();
    private final List<String> acknowledged = Collections.synchronizedList(new ArrayList<>());
    private final List<Exception> failures = new CopyOnWriteArrayList<>();
    private volatile boolean stopping;

    /** @param idempotent else a record may be there twice, or behind a later one, when it had to be sent again */
    PlainLoad(String bootstrap, String topic, boolean idempotent) {
        this.bootstrap = bootstrap;
        this.topic = topic;
        this.idempotent = idempotent;
    }

    String topic() {
        return topic;
    }

    AckClock clock() {
        return clock;
    }

    void stop() {
        stopping = true;
    }

    List<String> acknowledged() {
        return acknowledged;
    }

    List<Exception> failures() {
        return failures;
    }

    @Override
    public void run() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", bootstrap);
        settings.put("acks", "all");
        settings.put("linger.ms", "5");
        settings.put("enable.idempotence", idempotent);
        settings.put("request.timeout.ms", "5000"); // who was cut off is given up long before the record is
        settings.put("reconnect.backoff.max.ms", "200");
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            for (int i = 0; !stopping; i++) {
                String value = String.valueOf(i);
                producer.send(new ProducerRecord<>(topic, value), (metadata, failure) -> {
                    if (failure == null) {
                        acknowledged.add(value);
                        clock.acknowledged();
                    } else {
                        failures.add(failure);
                    }
                });
                if (i % 20 == 0) {
                    producer.flush();
                }
            }
        }
    }
}
