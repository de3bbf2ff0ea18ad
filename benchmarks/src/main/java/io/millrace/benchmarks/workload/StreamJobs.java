package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.job.MapJob;
import io.millrace.benchmarks.job.WordCountJob;
import io.millrace.benchmarks.measure.Metric;
import io.millrace.benchmarks.measure.ProcessAccount;
import io.millrace.benchmarks.side.Product;
import io.millrace.benchmarks.side.Side;
import io.millrace.testbed.ChildProcess;
import io.millrace.testbed.JvmFlags;
import io.millrace.testbed.ProjectFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Whole jobs, exactly once: the same job on our runtime and on Kafka Streams, over the same broker. */
public final class StreamJobs implements Workload {
    public static final Metric PER_CPU_SECOND = Metric.of("records in per CPU second of the job", "");
    static final Metric RATE = Metric.of("records in", "1/s");
    static final Metric JOB_CPU = Metric.of("job CPU", "s per million records in");
    static final Metric BROKER_CPU = Metric.of("broker CPU", "s per million records in");
    static final Metric WRITTEN = Metric.of("records out for each one in", "");

    public static final String MAP = "stateless map";
    public static final String WORD_COUNT = "word count, 4 words a line";
    public static final String KAFKA_STREAMS = "kafka-streams";

    private static final String OURS = Product.MILLRACE.label();
    private static final int MOST_ROUNDS = 2;
    private static final int PARTITIONS = 4;
    private static final int WORDS_A_LINE = 4;
    private static final int VOCABULARY = 10_000;
    private static final int SAME_PARTITION = 200;
    private static final int MAP_RECORDS = 4_000_000;
    private static final int LINES = 2_400_000;
    private static final double MILLION = 1e6;
    private static final JvmFlags FLAGS = JvmFlags.of("-Xms1g", "-Xmx1g");

    private record Case(String title, int records, int partsOfARecord, boolean counts, String topic, String main) {}

    private final Case map = new Case(MAP, MAP_RECORDS, 1, false, "map", "MapJob");
    private final Case wordCount = new Case(WORD_COUNT, LINES, WORDS_A_LINE, true, "words", "WordCountJob");

    private int runs;

    @Override
    public String name() {
        return "jobs";
    }

    @Override
    public String settings() {
        return "One job process with a heap of 1 GB and one worker (stream thread) over 4 partitions, exactly once, each runtime's defaults "
                + "otherwise (commit interval 100 ms on both). Map: 100 B records, one byte changed; word count: 4 words a line, Zipf over "
                + "10,000, through a repartition topic, counts with a changelog into a topic. Both runtimes on the Millrace broker; "
                + "'millrace on apache-kafka' is our runtime on Apache Kafka. Measured over the second half of the committed "
                + "output, when both JVMs have compiled what they run.";
    }

    @Override
    public void run(Bench bench) throws Exception {
        for (Case testCase : List.of(map, wordCount)) {
            int records = bench.scale().of(testCase.records);
            bench.onEach(side -> load(side, testCase, records));
            for (int round = 0; round < Math.min(MOST_ROUNDS, bench.scale().rounds()); round++) {
                round(bench, testCase, records);
            }
            bench.onEach(side -> Clients.deleteTopics(side, List.of(testCase.topic)));
        }
    }

    private void round(Bench bench, Case testCase, int records) throws Exception {
        Side ours = bench.sides().ours();
        measure(bench, testCase, records, ours, OURS);
        measure(bench, testCase, records, ours, KAFKA_STREAMS);
        for (Side side : bench.sides().all()) {
            if (side != ours) {
                measure(bench, testCase, records, side, "millrace on " + side.label());
            }
        }
    }

    private void measure(Bench bench, Case testCase, int records, Side broker, String label) throws Exception {
        String name = "%s-job-%d".formatted(testCase.topic, runs++);
        String out = name + "-out";
        Clients.createTopic(broker, out, PARTITIONS);
        Path folder = bench.newFolder(name);
        String[] arguments = {
            broker.bootstrap(),
            name,
            testCase.topic,
            out,
            folder.resolve("state").toString()
        };
        try (ChildProcess job = label.equals(KAFKA_STREAMS)
                ? kafkaStreams(testCase, folder, arguments)
                : millrace(testCase, folder, arguments)) {
            JobOutput output = JobOutput.follow(broker, out, PARTITIONS, testCase.counts, job);
            long expected = (long) records * testCase.partsOfARecord;
            long begun = output.awaitAtLeast(Math.max(1, expected / 2));
            ProcessAccount account = new ProcessAccount(job.pid());
            long start = System.nanoTime();
            double cpuBefore = account.cpuSeconds();
            CpuMeter brokerCpu = CpuMeter.start(broker);
            long ended = output.awaitAtLeast(expected);
            double seconds = Seconds.since(start);
            double cpu = account.cpuSeconds() - cpuBefore;
            double measured = Math.max(1.0, (ended - begun) / (double) testCase.partsOfARecord);
            bench.add(testCase.title, PER_CPU_SECOND, label, cpu == 0 ? 0 : measured / cpu);
            bench.add(testCase.title, RATE, label, measured / seconds);
            bench.add(testCase.title, JOB_CPU, label, cpu * MILLION / measured);
            brokerCpu.add(bench, testCase.title, BROKER_CPU, label, measured / MILLION);
            bench.add(testCase.title, WRITTEN, label, output.records() / (double) records);
            output.close();
        }
        Clients.deleteTopicsOf(broker, name);
    }

    private static ChildProcess millrace(Case testCase, Path folder, String... arguments) {
        Class<?> main = testCase.counts ? WordCountJob.class : MapJob.class;
        return ChildProcess.ofOwnClass(FLAGS, main, folder.resolve("output"), arguments);
    }

    private static ChildProcess kafkaStreams(Case testCase, Path folder, String... arguments) throws IOException {
        Path module = ProjectFolder.resolve("benchmarks/kafka-streams/target");
        String classPath = module.resolve("classes") + ":"
                + Files.readString(module.resolve("classpath")).strip();
        List<String> command = new ArrayList<>(List.of(
                "-Dlogback.configurationFile="
                        + ProjectFolder.resolve("testbed/src/main/config/apache-kafka-logback.xml"),
                "-cp",
                classPath,
                "io.millrace.benchmarks.kafkastreams." + testCase.main));
        command.addAll(List.of(arguments));
        return ChildProcess.java(FLAGS, command, folder.resolve("output"));
    }

    private static void load(Side side, Case testCase, int records) throws Exception {
        Clients.createTopic(side, testCase.topic, PARTITIONS);
        Random random = new Random(7);
        Payload payload = Payload.ofBytes(100);
        Clients.send(side, Clients.IN_BULK, records, i -> {
            byte[] value = testCase.counts ? line(random) : payload.value(i);
            return new ProducerRecord<>(testCase.topic, i / SAME_PARTITION % PARTITIONS, null, value);
        });
    }

    private static byte[] line(Random random) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < WORDS_A_LINE; i++) {
            line.append(i == 0 ? "" : " ").append(word(random));
        }
        return line.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Zipf: the rank is e to a uniform power. */
    private static String word(Random random) {
        int rank = (int) Math.min(VOCABULARY - 1, Math.exp(random.nextDouble() * Math.log(VOCABULARY)));
        return "w" + Integer.toString(rank * 7919 % 1_000_003, 36);
    }
}
