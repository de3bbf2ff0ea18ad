package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.measure.Metric;
import io.millrace.benchmarks.side.Product;
import io.millrace.benchmarks.side.Side;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Every record is on the disk before it is acknowledged. */
public final class ForcedProduce implements Workload {
    static final Metric PRODUCED = Metric.of("produced and forced", "records/s");
    static final Metric CPU = Metric.of("broker CPU", "s per million records");

    private static final int BYTES = 100;
    private static final int PARTITIONS = 4;
    private static final int RECORDS_OF_EACH = 20_000;
    private static final double MILLION = 1e6;

    @Override
    public String name() {
        return "forced";
    }

    @Override
    public String settings() {
        return "100 B records, default batches, acks=all, idempotent, 4 partitions. Millrace: flush.policy=force (one force for all that "
                + "waits in a partition); Apache Kafka: flush.messages=1 (one force for each append).";
    }

    @Override
    public void run(Bench bench) throws Exception {
        if (bench.sides().areAttached()) {
            bench.leaveOut(name(), "the setting that forces has another name on each product");
            return;
        }
        for (int producers : List.of(1, 8)) {
            String testCase = producers == 1 ? "1 producer" : producers + " producers";
            String topic = "forced-" + producers;
            bench.onEach(side -> {
                Clients.createTopic(side, topic, PARTITIONS, forced(side));
                produce(side, topic, producers, bench.scale().of(RECORDS_OF_EACH / 4));
            });
            int records = bench.scale().of(RECORDS_OF_EACH);
            bench.inTurn(side -> {
                CpuMeter cpu = CpuMeter.start(side);
                long start = System.nanoTime();
                produce(side, topic, producers, records);
                bench.add(testCase, PRODUCED, side, producers * records / Seconds.since(start));
                cpu.add(bench, testCase, CPU, producers * records / MILLION);
            });
            bench.onEach(side -> Clients.deleteTopics(side, List.of(topic)));
        }
    }

    private static Map<String, String> forced(Side side) {
        return side.label().equals(Product.MILLRACE.label())
                ? Map.of("flush.policy", "force")
                : Map.of("flush.messages", "1");
    }

    private static void produce(Side side, String topic, int producers, int records) throws Exception {
        Payload payload = Payload.ofBytes(BYTES);
        ExecutorService threads = Executors.newFixedThreadPool(producers);
        try {
            Callable<Double> one = () -> Clients.send(
                    side, Map.of(), records, i -> new ProducerRecord<>(topic, i % PARTITIONS, null, payload.value(i)));
            for (Future<Double> sent : threads.invokeAll(Collections.nCopies(producers, one))) {
                sent.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
