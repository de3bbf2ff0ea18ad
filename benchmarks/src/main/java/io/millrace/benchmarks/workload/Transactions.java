package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.measure.Latencies;
import io.millrace.benchmarks.measure.Metric;
import io.millrace.benchmarks.side.Side;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** Read, write and commit with the offsets, in a loop. */
public final class Transactions implements Workload {
    public static final Metric RATE = Metric.of("transactions", "1/s");
    static final Metric RECORDS = Metric.of("records", "1/s");
    static final Metric COMMIT_MEDIAN = Metric.of("commit, median", "ms");
    static final Metric COMMIT_P99 = Metric.of("commit, 99 %", "ms");
    public static final Metric CPU = Metric.of("broker CPU", "s per 1,000 transactions");
    /** The case that the targets speak of. */
    public static final String ONE_OF_ONE = "1 record, 1 producer";

    private static final String IN = "transactions-in";
    private static final String OUT = "transactions-out";
    private static final int PARTITIONS = 6;
    private static final int INPUT = 200_000;
    private static final Duration WARM = Duration.ofSeconds(2);
    private static final Duration TIME = Duration.ofSeconds(4);

    @Override
    public String name() {
        return "transactions";
    }

    @Override
    public String settings() {
        return "poll (max.poll.records = records of a transaction, read_committed), begin, send each record (100 B), send the offsets, commit. "
                + "6 partitions in and out, linger.ms=5 (the client's default), transaction version 2 on both sides. Each producer has its "
                + "own group and transactional id. 4 s a round, after 2 s of warming up.";
    }

    @Override
    public void run(Bench bench) throws Exception {
        bench.onEach(side -> prepare(side, bench.scale().of(INPUT)));
        for (int producers : List.of(1, 8)) {
            for (int records : List.of(1, 10, 100, 1000)) {
                String testCase = "%,d record%s, %d producer%s"
                        .formatted(records, records == 1 ? "" : "s", producers, producers == 1 ? "" : "s");
                bench.onEach(
                        side -> loop(side, records, producers, bench.scale().of(WARM)));
                bench.inTurn(side -> measure(bench, testCase, side, records, producers));
            }
        }
        bench.onEach(side -> Clients.deleteTopics(side, List.of(IN, OUT)));
    }

    private static void prepare(Side side, int records) throws Exception {
        Clients.createTopic(side, IN, PARTITIONS);
        Clients.createTopic(side, OUT, PARTITIONS);
        Payload payload = Payload.ofBytes(100);
        Clients.send(
                side, Clients.IN_BULK, records, i -> new ProducerRecord<>(IN, i % PARTITIONS, null, payload.value(i)));
    }

    private static void measure(Bench bench, String testCase, Side side, int records, int producers) throws Exception {
        CpuMeter cpu = CpuMeter.start(side);
        long start = System.nanoTime();
        Counts counts = loop(side, records, producers, bench.scale().of(TIME));
        double seconds = Seconds.since(start);
        double transactions = counts.commits.count();
        bench.add(testCase, RATE, side, transactions / seconds);
        bench.add(testCase, RECORDS, side, counts.records.sum() / seconds);
        bench.add(testCase, COMMIT_MEDIAN, side, counts.commits.percentileMs(50));
        bench.add(testCase, COMMIT_P99, side, counts.commits.percentileMs(99));
        cpu.add(bench, testCase, CPU, transactions / 1000);
    }

    private static final class Counts {
        final Latencies commits = new Latencies();
        final LongAdder records = new LongAdder();
    }

    private static Counts loop(Side side, int records, int producers, Duration time) throws Exception {
        Counts counts = new Counts();
        ExecutorService threads = Executors.newFixedThreadPool(producers);
        try {
            List<Callable<Void>> all = new ArrayList<>();
            for (int i = 0; i < producers; i++) {
                String id = "transactions-%d-%d".formatted(records, i);
                all.add(() -> loop(side, id, records, time, counts));
            }
            for (Future<Void> one : threads.invokeAll(all)) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
        return counts;
    }

    private static Void loop(Side side, String id, int records, Duration time, Counts counts) {
        Map<String, Object> reading = Map.of(
                "group.id",
                id,
                "enable.auto.commit",
                false,
                "isolation.level",
                "read_committed",
                "max.poll.records",
                records);
        try (KafkaConsumer<byte[], byte[]> consumer = Clients.consumer(side, reading);
                KafkaProducer<byte[], byte[]> producer = Clients.producer(side, Map.of("transactional.id", id))) {
            consumer.assign(Clients.partitions(IN, PARTITIONS));
            consumer.seekToBeginning(consumer.assignment());
            producer.initTransactions();
            long end = System.nanoTime() + time.toNanos();
            while (System.nanoTime() < end) {
                ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofMillis(200));
                if (polled.isEmpty()) {
                    consumer.seekToBeginning(consumer.assignment());
                } else {
                    transaction(consumer, producer, polled, counts);
                }
            }
        }
        return null;
    }

    private static void transaction(
            KafkaConsumer<byte[], byte[]> consumer,
            KafkaProducer<byte[], byte[]> producer,
            ConsumerRecords<byte[], byte[]> polled,
            Counts counts) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        producer.beginTransaction();
        for (ConsumerRecord<byte[], byte[]> record : polled) {
            producer.send(new ProducerRecord<>(OUT, record.partition(), record.key(), record.value()));
            offsets.put(new TopicPartition(IN, record.partition()), new OffsetAndMetadata(record.offset() + 1));
        }
        producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
        long start = System.nanoTime();
        producer.commitTransaction();
        counts.commits.add(System.nanoTime() - start);
        counts.records.add(polled.count());
    }
}
