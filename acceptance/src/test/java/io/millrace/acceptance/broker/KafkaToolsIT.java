package io.millrace.acceptance.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.testbed.MillraceServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Apache Kafka's own command line tools against our server; each test is a step that the later ones build upon. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KafkaToolsIT {
    private static final String TOOLS = "org.apache.kafka.tools.";
    private static final String TOPIC = "tools";
    private static final String GROUP = "tool-readers";

    private static MillraceServer server;

    @BeforeAll
    static void start() {
        server = MillraceServer.start(Folders.create("kafka-tools"), "group.initial.rebalance.delay.ms=0");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String run(String tool, String... arguments) throws Exception {
        return KafkaTool.run(TOOLS + tool, withBootstrap(arguments));
    }

    private static String[] withBootstrap(String... arguments) {
        return Stream.concat(Stream.of("--bootstrap-server", server.bootstrap()), Stream.of(arguments))
                .toArray(String[]::new);
    }

    private static String lines(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> "line " + i).collect(Collectors.joining("\n", "", "\n"));
    }

    @Test
    @Order(1)
    void topics_are_created_altered_described_and_listed() throws Exception {
        assertThat(run(
                        "TopicCommand",
                        "--create",
                        "--topic",
                        TOPIC,
                        "--partitions",
                        "3",
                        "--config",
                        "retention.ms=3600000"))
                .contains("Created topic");
        run("TopicCommand", "--alter", "--topic", TOPIC, "--partitions", "4");

        assertThat(run("TopicCommand", "--describe", "--topic", TOPIC))
                .contains("PartitionCount: 4")
                .contains("retention.ms=3600000");
        assertThat(run("TopicCommand", "--list").lines()).contains(TOPIC);
    }

    @Test
    @Order(2)
    void the_console_producer_and_consumer_pass_lines_on() throws Exception {
        KafkaTool.runWithInput(lines(1000), TOOLS + "ConsoleProducer", withBootstrap("--topic", TOPIC));

        String read = run(
                "consumer.ConsoleConsumer",
                "--topic",
                TOPIC,
                "--group",
                GROUP,
                "--from-beginning",
                "--max-messages",
                "1000");

        assertThat(read).contains("Processed a total of 1000 messages");
        assertThat(read.lines().filter(line -> line.startsWith("line ")).distinct())
                .hasSize(1000);
    }

    @Test
    @Order(3)
    void consumer_groups_are_described_reset_and_deleted() throws Exception {
        String tool = "consumer.group.ConsumerGroupCommand";

        assertThat(run(tool, "--describe", "--group", GROUP)).contains("CURRENT-OFFSET");
        assertThat(run(tool, "--list").lines()).contains(GROUP);
        assertThat(run(tool, "--reset-offsets", "--group", GROUP, "--topic", TOPIC, "--to-earliest", "--execute"))
                .contains("NEW-OFFSET");
        assertThat(run(tool, "--delete-offsets", "--group", GROUP, "--topic", TOPIC + ":0"))
                .contains("Successful");
        assertThat(run(tool, "--delete", "--group", GROUP)).contains("was successful");
        assertThat(run(tool, "--list").lines()).doesNotContain(GROUP);
    }

    @Test
    @Order(4)
    void performance_tools_produce_and_consume() throws Exception {
        assertThat(KafkaTool.run(
                        TOOLS + "ProducerPerformance",
                        "--topic",
                        TOPIC,
                        "--num-records",
                        "20000",
                        "--record-size",
                        "100",
                        "--throughput",
                        "-1",
                        "--command-property",
                        "bootstrap.servers=" + server.bootstrap()))
                .contains("20000 records sent");
        assertThat(run("ConsumerPerformance", "--topic", TOPIC, "--num-records", "20000", "--timeout", "30000"))
                .containsPattern(", 2[0-9]{4},");
    }

    @Test
    @Order(5)
    void verifiable_clients_acknowledge_and_see_every_record() throws Exception {
        assertThat(run("VerifiableProducer", "--topic", TOPIC, "--max-messages", "500", "--acks", "-1"))
                .contains("\"acked\":500");
        assertThat(run(
                        "VerifiableConsumer",
                        "--topic",
                        TOPIC,
                        "--group-id",
                        "verifiers",
                        "--max-messages",
                        "1000",
                        "--reset-policy",
                        "earliest"))
                .contains("records_consumed");
    }

    @Test
    @Order(6)
    void transactions_are_listed_described_and_none_hangs() throws Exception {
        KafkaTool.run(
                TOOLS + "ProducerPerformance",
                "--topic",
                TOPIC,
                "--num-records",
                "5000",
                "--record-size",
                "100",
                "--throughput",
                "-1",
                "--transactional-id",
                "tool-tx",
                "--transaction-duration-ms",
                "100",
                "--command-property",
                "bootstrap.servers=" + server.bootstrap());

        assertThat(run("TransactionsCommand", "list")).contains("tool-tx");
        assertThat(run("TransactionsCommand", "describe", "--transactional-id", "tool-tx"))
                .contains("CompleteCommit");
        assertThat(run("TransactionsCommand", "describe-producers", "--topic", TOPIC, "--partition", "0"))
                .contains("ProducerId");
        assertThat(run("TransactionsCommand", "find-hanging", "--broker-id", "1")
                        .lines())
                .as("the heading alone")
                .hasSize(1);
    }

    @Test
    @Order(7)
    void offsets_are_shown_and_records_deleted() throws Exception {
        assertThat(run("GetOffsetShell", "--topic", TOPIC).lines()).hasSize(4).allMatch(line -> line.startsWith(TOPIC));
        Path request = Files.createTempFile("delete", ".json");
        Files.writeString(request, """
                {"partitions":[{"topic":"%s","partition":0,"offset":10}],"version":1}
                """.formatted(TOPIC));

        assertThat(run("DeleteRecordsCommand", "--offset-json-file", request.toString()))
                .contains("low_watermark: 10");
        assertThat(run("GetOffsetShell", "--topic", TOPIC, "--time", "earliest").lines())
                .contains(TOPIC + ":0:10");
        Files.delete(request);
    }

    @Test
    @Order(8)
    void versions_settings_and_folders_are_described() throws Exception {
        assertThat(run("BrokerApiVersionsCommand")).contains("Produce(0): 0 to 13");
        assertThat(run("LogDirsCommand", "--describe", "--topic-list", TOPIC)).contains("\"logDir\"");
        assertThat(KafkaTool.run(
                        "org.apache.kafka.tools.ConfigCommand",
                        withBootstrap(
                                "--alter",
                                "--entity-type",
                                "topics",
                                "--entity-name",
                                TOPIC,
                                "--add-config",
                                "max.message.bytes=2000000")))
                .contains("Completed");
        assertThat(KafkaTool.run(
                        "org.apache.kafka.tools.ConfigCommand",
                        withBootstrap("--describe", "--entity-type", "topics", "--entity-name", TOPIC)))
                .contains("max.message.bytes=2000000");
    }

    @Test
    @Order(9)
    void the_dump_tool_finds_no_fault_in_our_files() throws Exception {
        server.stop();
        List<Path> files;
        try (Stream<Path> all = Files.walk(server.data())) {
            files = all.filter(KafkaToolsIT::isDumped).sorted().toList();
        }
        assertThat(files).isNotEmpty();

        String dump = KafkaTool.run(
                TOOLS + "DumpLogSegments",
                "--deep-iteration",
                "--files",
                files.stream().map(Path::toString).collect(Collectors.joining(",")));

        assertThat(dump).contains("baseOffset").contains("producerId");
        assertThat(dump.lines().filter(KafkaToolsIT::complains)).isEmpty();
    }

    private static boolean isDumped(Path file) {
        String name = file.getFileName().toString();
        boolean kind = Stream.of(".log", ".index", ".timeindex", ".txnindex", ".snapshot")
                .anyMatch(name::endsWith);
        try {
            return kind
                    && Files.size(file) > 0
                    && file.getParent().getFileName().toString().startsWith(TOPIC);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean complains(String line) {
        return line.contains("isvalid: false")
                || line.contains("Found")
                || line.contains("mismatch")
                || line.contains("corrupt")
                || line.contains("Exception");
    }
}
