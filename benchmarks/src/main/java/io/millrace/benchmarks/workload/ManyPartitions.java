package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.measure.FirstAnswer;
import io.millrace.benchmarks.measure.Metric;
import io.millrace.benchmarks.measure.ProcessAccount;
import io.millrace.benchmarks.side.LaunchedSide;
import io.millrace.benchmarks.side.Product;
import io.millrace.benchmarks.side.Side;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** What many partitions cost: to make, to start with, to keep. */
public final class ManyPartitions implements Workload {
    public static final Metric CREATE = Metric.of("create until all serve", "s");
    static final Metric IDLE_CPU = Metric.of("CPU while idle", "cores");
    static final Metric FILL = Metric.of("one record to each", "s");
    static final Metric STOP = Metric.of("clean stop", "s");
    static final Metric RESTART_CLEAN = Metric.of("restart after a clean stop until all serve", "s");
    public static final Metric RESTART_KILLED = Metric.of("restart after kill -9 until all serve", "s");
    public static final Metric RESIDENT = Metric.of("resident with a record in each", "MB");
    static final Metric DESCRIPTORS = Metric.of("open files with a record in each", "");
    static final Metric MAPS = Metric.of("memory maps with a record in each", "");
    /** The case that the targets speak of. */
    public static final String TEN_THOUSAND = "10,000 partitions";

    private static final int TOPICS = 10;
    private static final Duration IDLE = Duration.ofSeconds(10);

    @Override
    public String name() {
        return "partitions";
    }

    @Override
    public String settings() {
        return "A broker of its own on an empty folder, heap 1 GB. Ten topics are made one after the other; all serve when the latest offset "
                + "of each partition is answered. Restarts count from the spawn of the process. The kill comes when each partition has one "
                + "record. 10,000 partitions are measured once.";
    }

    @Override
    public void run(Bench bench) throws Exception {
        if (bench.sides().areAttached()) {
            bench.leaveOut(name(), "attached brokers are not to be killed");
            return;
        }
        List<Integer> sizes = bench.scale().isQuick() ? List.of(100) : List.of(1_000, 10_000);
        for (int partitions : sizes) {
            for (Product product : Product.values()) {
                run(bench, product, partitions / TOPICS, "%,d partitions".formatted(partitions));
            }
        }
    }

    private static void run(Bench bench, Product product, int each, String testCase) throws Exception {
        try (LaunchedSide side = new LaunchedSide(product.label(), product.prepare(bench.newFolder(product.label())))) {
            side.process().startAgain();
            long start = System.nanoTime();
            create(side, each);
            awaitAllServe(side, each);
            bench.add(testCase, CREATE, side, Seconds.since(start));
            bench.add(testCase, IDLE_CPU, side, idleCpu(bench, side));
            start = System.nanoTime();
            side.process().stop();
            bench.add(testCase, STOP, side, Seconds.since(start));
            bench.add(testCase, RESTART_CLEAN, side, restart(side, each));
            start = System.nanoTime();
            fill(side, each);
            bench.add(testCase, FILL, side, Seconds.since(start));
            ProcessAccount account = side.accounts().get(0);
            bench.add(testCase, RESIDENT, side, account.residentMb());
            bench.add(testCase, DESCRIPTORS, side, (double) account.descriptors());
            bench.add(testCase, MAPS, side, (double) account.memoryMaps());
            side.process().killHard();
            bench.add(testCase, RESTART_KILLED, side, restart(side, each));
            side.process().killHard();
        }
    }

    private static void create(Side side, int each) throws ExecutionException, InterruptedException {
        try (Admin admin = Clients.admin(side)) {
            for (String topic : topics()) {
                admin.createTopics(List.of(new NewTopic(topic, each, (short) 1)))
                        .all()
                        .get();
            }
        }
    }

    private static double restart(LaunchedSide side, int each) throws InterruptedException {
        long spawned = System.nanoTime();
        side.process().launch();
        FirstAnswer.await(side.bootstrap(), spawned);
        awaitAllServe(side, each);
        return Seconds.since(spawned);
    }

    private static void awaitAllServe(Side side, int each) throws InterruptedException {
        List<TopicPartition> all = topics().stream()
                .flatMap(topic -> Clients.partitions(topic, each).stream())
                .toList();
        try (Admin admin = Clients.admin(side)) {
            Clients.awaitServing(admin, all);
        }
    }

    private static double idleCpu(Bench bench, LaunchedSide side) throws InterruptedException {
        ProcessAccount account = side.accounts().get(0);
        Duration time = bench.scale().of(IDLE);
        double before = account.cpuSeconds();
        Thread.sleep(time.toMillis());
        return (account.cpuSeconds() - before) * 1000 / time.toMillis();
    }

    private static void fill(Side side, int each) throws Exception {
        List<String> topics = topics();
        Clients.send(
                side,
                Map.of("batch.size", 1024, "buffer.memory", 134_217_728L),
                TOPICS * each,
                i -> new ProducerRecord<>(topics.get(i / each), i % each, null, new byte[100]));
    }

    private static List<String> topics() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < TOPICS; i++) {
            names.add("many-" + i);
        }
        return names;
    }
}
