package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.measure.Metric;
import io.millrace.benchmarks.side.Side;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** As fast as one producer can, and as fast as one consumer can. */
public final class ProduceAndConsume implements Workload {
    static final Metric PRODUCED = Metric.of("produced", "records/s");
    public static final Metric PRODUCE_CPU_RECORDS = Metric.of("broker CPU, produce", "s per million records");
    static final Metric PRODUCE_CPU_BYTES = Metric.of("broker CPU, produce", "s per GiB");
    static final Metric CONSUMED = Metric.of("consumed", "records/s");
    public static final Metric CONSUME_CPU = Metric.of("broker CPU, consume", "s per GiB");

    private static final double MILLION = 1e6;
    private static final double GIB = 1L << 30;
    private static final int MANY = 100;
    private static final int SMALL_BYTES = 100;
    private static final int LARGE_BYTES = 1024;
    private static final int WARM_RECORDS = 5_000_000;
    private static final int SMALL_RECORDS = 700_000;
    private static final int LARGE_RECORDS = 180_000;

    @Override
    public String name() {
        return "produce";
    }

    @Override
    public String settings() {
        return "One topic a case, one replica, acks=all, idempotent producer. Default batches: batch.size=16384, linger.ms=5; large: "
                + "batch.size=131072, linger.ms=5. The consumer reads everything back with its defaults. Nobody forces to disk: "
                + "both brokers leave that to the system, which is their default.";
    }

    @Override
    public void run(Bench bench) throws Exception {
        warmUp(bench);
        for (ProduceCase testCase : cases()) {
            run(bench, testCase);
        }
    }

    private static List<ProduceCase> cases() {
        List<ProduceCase> cases = new ArrayList<>();
        for (int bytes : List.of(SMALL_BYTES, LARGE_BYTES)) {
            for (boolean large : List.of(false, true)) {
                for (String codec : List.of("none", "lz4", "zstd")) {
                    cases.add(new ProduceCase(bytes, large, codec, 1));
                }
                cases.add(new ProduceCase(bytes, large, "none", MANY));
            }
        }
        return cases;
    }

    /** The compilers of both brokers, and of the clients here, get the same to see before anything is measured. */
    private static void warmUp(Bench bench) throws Exception {
        for (boolean large : List.of(false, true)) {
            ProduceCase warm = new ProduceCase(SMALL_BYTES, large, "none", 1);
            bench.onEach(side -> {
                Clients.createTopic(side, warm.topic() + "-warm", 1);
                int records = bench.scale().of(WARM_RECORDS);
                warm.produce(side, warm.topic() + "-warm", records);
                consume(side, warm, warm.topic() + "-warm", records);
                Clients.deleteTopics(side, List.of(warm.topic() + "-warm"));
            });
        }
    }

    private static void run(Bench bench, ProduceCase testCase) throws Exception {
        int records = bench.scale().of(testCase.bytes() == SMALL_BYTES ? SMALL_RECORDS : LARGE_RECORDS);
        double gib = records * (double) testCase.bytes() / GIB;
        bench.onEach(side -> {
            Clients.createTopic(side, testCase.topic(), testCase.partitions());
            testCase.produce(side, testCase.topic(), Math.max(1, records / 4));
        });
        bench.inTurn(side -> {
            CpuMeter cpu = CpuMeter.start(side);
            double seconds = testCase.produce(side, testCase.topic(), records);
            bench.add(testCase.title(), PRODUCED, side, records / seconds);
            cpu.add(bench, testCase.title(), PRODUCE_CPU_RECORDS, records / MILLION);
            cpu.add(bench, testCase.title(), PRODUCE_CPU_BYTES, gib);
        });
        int all = Math.max(1, records / 4) + records * bench.scale().rounds();
        double allGib = all * (double) testCase.bytes() / GIB;
        bench.inTurn(side -> {
            CpuMeter cpu = CpuMeter.start(side);
            double seconds = consume(side, testCase, testCase.topic(), all);
            bench.add(testCase.title(), CONSUMED, side, all / seconds);
            cpu.add(bench, testCase.title(), CONSUME_CPU, allGib);
        });
        bench.onEach(side -> Clients.deleteTopics(side, List.of(testCase.topic())));
    }

    /** Seconds from the first poll to the last record. */
    private static double consume(Side side, ProduceCase testCase, String topic, int records) {
        try (KafkaConsumer<byte[], byte[]> consumer = Clients.consumer(side, Map.of())) {
            List<TopicPartition> partitions = Clients.partitions(topic, testCase.partitions());
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            long start = System.nanoTime();
            for (int read = 0; read < records; ) {
                read += consumer.poll(Duration.ofSeconds(1)).count();
            }
            return Seconds.since(start);
        }
    }
}
