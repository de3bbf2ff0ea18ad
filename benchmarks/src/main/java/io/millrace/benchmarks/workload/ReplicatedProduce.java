package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.measure.Metric;
import io.millrace.benchmarks.side.LaunchedCluster;
import io.millrace.benchmarks.side.Product;
import io.millrace.benchmarks.side.Sides;
import java.util.List;

/** As fast as one producer can when three brokers keep what it sends. */
public final class ReplicatedProduce implements Workload {
    static final Metric PRODUCED = Metric.of("produced", "records/s");
    public static final Metric CPU_RECORDS = Metric.of("CPU of all brokers", "s per million records");
    static final Metric CPU_BYTES = Metric.of("CPU of all brokers", "s per GiB");

    private static final int BROKERS = 3;
    private static final int PARTITIONS = 6;
    private static final double MILLION = 1e6;
    private static final double GIB = 1L << 30;
    private static final int SMALL_BYTES = 100;
    private static final int LARGE_BYTES = 1024;
    /** Three brokers have three compilers at work: a round of a second or two would measure one of their bursts. */
    private static final int MEASURED_BYTES = 500_000_000;

    private static final int WARM_BYTES = 1 << 30;

    @Override
    public String name() {
        return "replicated";
    }

    @Override
    public String settings() {
        return "Three brokers a side, each with a heap of %s; topics of six partitions, three replicas, min.insync.replicas=2, acks=all, idempotent producer. "
                        .formatted(Product.HEAP)
                + "Batches as in produce. The CPU is that of the three brokers together.";
    }

    @Override
    public void run(Bench bench) throws Exception {
        if (bench.sides().areAttached()) {
            bench.leaveOut(name(), "it starts clusters of its own");
            return;
        }
        try (LaunchedCluster ours = start(bench, Product.MILLRACE);
                LaunchedCluster theirs = start(bench, Product.APACHE_KAFKA);
                Sides clusters = new Sides(bench.newFolder("unused"), List.of(ours, theirs))) {
            Bench onClusters = bench.on(clusters);
            for (int bytes : List.of(SMALL_BYTES, LARGE_BYTES)) {
                for (boolean large : List.of(false, true)) {
                    measure(onClusters, new ProduceCase(bytes, large, "none", PARTITIONS));
                }
            }
        }
    }

    private static LaunchedCluster start(Bench bench, Product product) {
        return product.startCluster(bench.newFolder(product.label()), BROKERS);
    }

    private static void measure(Bench bench, ProduceCase testCase) throws Exception {
        int records = bench.scale().of(MEASURED_BYTES / testCase.bytes());
        // A GiB in large batches is some eight thousand requests: after so few the compilers still use most of the CPU.
        int warm = bench.scale().of(WARM_BYTES / testCase.bytes() * (testCase.largeBatches() ? 3 : 1));
        String warmTopic = "warm-" + testCase.topic();
        bench.onEach(side -> {
            Clients.createTopic(side, warmTopic, testCase.partitions());
            testCase.produce(side, warmTopic, warm);
            Clients.deleteTopics(side, List.of(warmTopic)); // or its pages would be written to disk during the rounds
            Clients.createTopic(side, testCase.topic(), testCase.partitions());
        });
        bench.inTurn(side -> {
            CpuMeter cpu = CpuMeter.start(side);
            double seconds = testCase.produce(side, testCase.topic(), records);
            bench.add(testCase.title(), PRODUCED, side, records / seconds);
            cpu.add(bench, testCase.title(), CPU_RECORDS, records / MILLION);
            cpu.add(bench, testCase.title(), CPU_BYTES, records * (double) testCase.bytes() / GIB);
        });
        bench.onEach(side -> Clients.deleteTopics(side, List.of(testCase.topic())));
    }
}
