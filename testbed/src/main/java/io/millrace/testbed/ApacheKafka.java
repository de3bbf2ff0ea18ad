package io.millrace.testbed;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;

/** A combined node of Apache Kafka, alone or one of several, from the artifacts that the module apache-kafka resolves. */
public final class ApacheKafka implements BrokerProcess {
    /** What lets tests run quickly: few partitions of internal topics, no wait for further members of a new group. */
    private static final String[] FOR_TESTS = {
        "offsets.topic.num.partitions=4", "transaction.state.log.num.partitions=4", "group.initial.rebalance.delay.ms=0"
    };

    private static final int ATTEMPTS = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qg";

    private final Path folder;
    private final int port;
    private final JvmFlags flags;
    private final List<String> settings;
    private ChildProcess process;

    private ApacheKafka(Path folder, int port, JvmFlags flags, List<String> settings) {
        this.folder = folder;
        this.port = port;
        this.flags = flags;
        this.settings = settings;
    }

    /** Kafka cannot be asked to find ports itself; so free ones are found, and found again if somebody was faster. */
    public static ApacheKafka start(Path folder) {
        for (int attempt = 1; ; attempt++) {
            ApacheKafka kafka = at(folder, FreePort.find(), JvmFlags.SMALL, FOR_TESTS);
            try {
                kafka.startAgain();
                return kafka;
            } catch (IllegalStateException e) {
                kafka.close();
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Not started yet; its folder is formatted. */
    public static ApacheKafka at(Path folder, int port, JvmFlags flags, String... settings) {
        int controllerPort = FreePort.find();
        return node(folder, 1, port, controllerPort, voter(1, controllerPort), 1, flags, List.of(settings));
    }

    /** The nodes of one cluster, not started yet; topics have a replica on each, and a majority of them has to be in sync. */
    public static List<ApacheKafka> cluster(Path folder, int count, JvmFlags flags) {
        List<Integer> controllerPorts =
                IntStream.range(0, count).mapToObj(i -> FreePort.find()).toList();
        String voters = IntStream.range(0, count)
                .mapToObj(i -> voter(i + 1, controllerPorts.get(i)))
                .collect(Collectors.joining(","));
        return IntStream.range(0, count)
                .mapToObj(i -> node(
                        folder.resolve("node-" + (i + 1)),
                        i + 1,
                        FreePort.find(),
                        controllerPorts.get(i),
                        voters,
                        count,
                        flags,
                        List.of("default.replication.factor=" + count, "min.insync.replicas=" + (count / 2 + 1))))
                .toList();
    }

    private static String voter(int id, int controllerPort) {
        return "%d@127.0.0.1:%d".formatted(id, controllerPort);
    }

    private static ApacheKafka node(
            Path folder,
            int id,
            int port,
            int controllerPort,
            String voters,
            int replicas,
            JvmFlags flags,
            List<String> settings) {
        List<String> all = new ArrayList<>(List.of(
                "node.id=" + id,
                "listeners=PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d".formatted(port, controllerPort),
                "controller.quorum.voters=" + voters,
                "offsets.topic.replication.factor=" + replicas,
                "transaction.state.log.replication.factor=" + replicas,
                "share.coordinator.state.topic.replication.factor=" + replicas));
        all.addAll(settings);
        ApacheKafka kafka = new ApacheKafka(folder, port, flags, all);
        kafka.format();
        return kafka;
    }

    /** The command line of one of Kafka's own tools, to be given to a java process. */
    public static List<String> tool(String mainClass) {
        Path logging = ProjectFolder.resolve("testbed/src/main/config/apache-kafka-logback.xml");
        return List.of("-Dlogback.configurationFile=" + logging, "-cp", classPath(), mainClass);
    }

    private void format() {
        try {
            Files.createDirectories(folder);
            Files.writeString(config(), properties());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (Files.exists(data().resolve("meta.properties"))) {
            return;
        }
        ChildProcess format = ChildProcess.java(
                arguments("kafka.tools.StorageTool", "format", "-t", CLUSTER_ID, "-c", config().toString()), log());
        if (!format.awaitExit(PATIENCE) || format.exitCode() != 0) {
            throw new IllegalStateException("Apache Kafka's storage cannot be formatted: " + format.output());
        }
    }

    private String properties() {
        return """
               process.roles=broker,controller
               controller.listener.names=CONTROLLER
               inter.broker.listener.name=PLAINTEXT
               log.dirs=%s
               transaction.state.log.min.isr=1
               share.coordinator.state.topic.min.isr=1
               %s
               """.formatted(data(), String.join("\n", settings));
    }

    private Path config() {
        return folder.resolve("server.properties");
    }

    private Path log() {
        return folder.resolve("kafka.log");
    }

    @Override
    public void launch() {
        process = ChildProcess.java(flags, arguments("kafka.Kafka", config().toString()), log());
    }

    @Override
    public void awaitAnswer() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap(), "reconnect.backoff.max.ms", 100))) {
            await("Apache Kafka answers")
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> !process.isAlive() || answers(admin));
        }
        if (!process.isAlive()) {
            throw new IllegalStateException("Apache Kafka does not start: " + process.output());
        }
    }

    private static boolean answers(Admin admin) throws InterruptedException {
        try {
            return !admin.describeCluster().nodes().get(1, TimeUnit.SECONDS).isEmpty();
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    private static String classPath() {
        Path file = ProjectFolder.resolve("testbed/apache-kafka/target/classpath");
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "%s is missing; build the module testbed/apache-kafka first".formatted(file), e);
        }
    }

    private static List<String> arguments(String mainClass, String... more) {
        List<String> all = new ArrayList<>(tool(mainClass));
        all.addAll(List.of(more));
        return all;
    }

    @Override
    public void killHard() {
        process.killHard();
    }

    @Override
    public void stop() {
        process.stop(PATIENCE);
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public Path data() {
        return folder.resolve("data");
    }

    @Override
    public String bootstrap() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }
}
