package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.measure.FirstAnswer;
import io.millrace.benchmarks.measure.Metric;
import io.millrace.benchmarks.measure.ProcessAccount;
import io.millrace.benchmarks.side.LaunchedSide;
import io.millrace.benchmarks.side.Product;
import io.millrace.benchmarks.side.Side;
import java.time.Duration;
import org.apache.kafka.clients.producer.ProducerRecord;

/** From the spawn of the process to its first answer, and what it takes of the memory. */
public final class StartUp implements Workload {
    public static final Metric FIRST_ANSWER = Metric.of("spawn to first answer", "ms");
    static final Metric CPU = Metric.of("CPU until 5 s after it", "s");
    public static final Metric IDLE = Metric.of("resident, idle", "MB");
    static final Metric LOADED = Metric.of("resident, after 1,000,000 records", "MB");

    private static final double NANOS_A_MS = 1e6;
    private static final Duration SETTLED = Duration.ofSeconds(5);
    private static final int RECORDS = 1_000_000;
    private static final String TOPIC = "memory";

    @Override
    public String name() {
        return "start";
    }

    @Override
    public String settings() {
        return "An empty (Apache Kafka: formatted) folder, a heap of 256 MB; ApiVersions is asked by a raw socket every 5 ms from the spawn "
                + "on. Memory: 5 s later, and after 1,000,000 records of 100 B.";
    }

    @Override
    public void run(Bench bench) throws Exception {
        if (bench.sides().areAttached()) {
            bench.leaveOut(name(), "attached brokers run already");
            return;
        }
        int rounds = bench.scale().isQuick() ? 1 : bench.scale().rounds() + 2;
        for (int round = 0; round < rounds; round++) {
            for (Product product : Product.values()) {
                start(bench, product);
            }
        }
    }

    private static void start(Bench bench, Product product) throws Exception {
        try (LaunchedSide side =
                new LaunchedSide(product.label(), product.prepareSmall(bench.newFolder(product.label())))) {
            long spawned = System.nanoTime();
            side.process().launch();
            double ms = FirstAnswer.await(side.bootstrap(), spawned) / NANOS_A_MS;
            bench.add("256 MB heap", FIRST_ANSWER, side, ms);
            Thread.sleep(SETTLED.toMillis());
            ProcessAccount account = side.accounts().get(0);
            bench.add("256 MB heap", CPU, side, account.cpuSeconds());
            bench.add("256 MB heap", IDLE, side, account.residentMb());
            produce(side, bench.scale().of(RECORDS));
            bench.add("256 MB heap", LOADED, side, account.residentMb());
            side.process().stop();
        }
    }

    private static void produce(Side side, int records) throws Exception {
        Clients.createTopic(side, TOPIC, 1);
        Payload payload = Payload.ofBytes(100);
        Clients.send(side, Clients.IN_BULK, records, i -> new ProducerRecord<>(TOPIC, payload.value(i)));
    }
}
