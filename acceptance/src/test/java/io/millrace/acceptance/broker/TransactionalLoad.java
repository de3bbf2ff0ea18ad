package io.millrace.acceptance.broker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A producer that writes transactions until it is told to stop, through any number of deaths of the broker. Each
 * transaction writes a few records over all partitions and moves the producer's own offset to the transaction's number,
 * so that afterwards the offset tells which transactions have been committed.
 */
final class TransactionalLoad implements Runnable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int RECORDS = 6;

    private final String bootstrap;
    private final String name;
    private final String topic;
    private final int partitions;
    private final TopicPartition marker;
    private final Random random;
    private final ConsumerGroupMetadata outsider;
    private final List<Integer> committed = new ArrayList<>();
    private final List<Integer> aborted = new ArrayList<>();
    private final AtomicInteger ended = new AtomicInteger();
    private final AckClock clock = new AckClock();
    private volatile boolean stopping;
    private int next = 1;

    TransactionalLoad(String bootstrap, String name, String topic, int partitions, long seed) {
        this.bootstrap = bootstrap;
        this.name = name;
        this.topic = topic;
        this.partitions = partitions;
        this.marker = new TopicPartition(topic, 0);
        this.random = new Random(seed);
        try (KafkaConsumer<String, String> consumer = consumer()) {
            this.outsider = consumer.groupMetadata();
        }
    }

    void stop() {
        stopping = true;
    }

    /** The values of a transaction's records. */
    List<String> values(int transaction) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            values.add(name + " " + transaction + " " + i);
        }
        return values;
    }

    int partitionOf(int record) {
        return record % partitions;
    }

    /** How many transactions have ended, one way or the other; any thread. */
    int ended() {
        return ended.get();
    }

    String name() {
        return name;
    }

    /** Of transactions that have ended, either way. */
    AckClock clock() {
        return clock;
    }

    /** What was committed, in order; to be read when the load has ended. */
    List<Integer> committed() {
        return committed;
    }

    List<Integer> aborted() {
        return aborted;
    }

    @Override
    public void run() {
        while (!stopping) {
            // A new producer with the same id: whatever the last one left open is aborted, or its commit completed.
            try (KafkaProducer<String, String> producer = producer()) {
                producer.initTransactions();
                settleUnknown();
                while (!stopping) {
                    transaction(producer);
                }
            } catch (KafkaException e) {
                // The broker was killed in the middle; what became of the transaction is looked up by the next round.
                if (stopping) {
                    settleWithFreshProducer();
                }
            }
        }
        settleWithFreshProducer();
    }

    private void settleWithFreshProducer() {
        try (KafkaProducer<String, String> producer = producer()) {
            producer.initTransactions();
            settleUnknown();
        }
    }

    private void transaction(KafkaProducer<String, String> producer) {
        boolean commit = random.nextInt(4) > 0;
        producer.beginTransaction();
        List<String> values = values(next);
        for (int i = 0; i < values.size(); i++) {
            producer.send(new ProducerRecord<>(topic, partitionOf(i), null, values.get(i)));
        }
        producer.sendOffsetsToTransaction(Map.of(marker, new OffsetAndMetadata(next)), outsider);
        if (commit) {
            producer.commitTransaction();
            committed.add(next);
        } else {
            producer.abortTransaction();
            aborted.add(next);
        }
        next++;
        ended.incrementAndGet();
        clock.acknowledged();
    }

    /** Decides by the offset what became of a transaction whose end nobody acknowledged. */
    private void settleUnknown() {
        long offset = committedOffset();
        if (offset == next) {
            committed.add(next);
        } else {
            aborted.add(next);
        }
        next++;
        ended.incrementAndGet();
    }

    private long committedOffset() {
        try (KafkaConsumer<String, String> consumer = consumer()) {
            OffsetAndMetadata offset =
                    consumer.committed(Set.of(marker), PATIENCE).get(marker);
            return offset == null ? 0 : offset.offset();
        }
    }

    private KafkaProducer<String, String> producer() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", bootstrap);
        settings.put("transactional.id", name);
        settings.put("transaction.timeout.ms", "10000");
        settings.put("max.block.ms", "60000");
        settings.put("request.timeout.ms", "5000"); // who was cut off is given up long before the transaction is
        settings.put("reconnect.backoff.max.ms", "200");
        return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    }

    private KafkaConsumer<String, String> consumer() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", bootstrap);
        settings.put("group.id", name);
        settings.put("enable.auto.commit", "false");
        settings.put("reconnect.backoff.max.ms", "200");
        return new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
    }
}
