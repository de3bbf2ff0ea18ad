package io.millrace.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.broker.EmbeddedBroker;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands as a person or a script uses them. */
class CommandLineTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path folder;

    private static EmbeddedBroker broker;

    @BeforeAll
    static void start() {
        broker = EmbeddedBroker.start(folder);
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static Printed run(String... args) {
        return runWithInput("", args);
    }

    private static Printed runWithInput(String input, String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--bootstrap", broker.bootstrap()));
        return printed(input, all);
    }

    private static Printed printed(String input, List<String> args) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        InputStream in = System.in;
        ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        try {
            System.setOut(new PrintStream(outBytes, true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(errBytes, true, StandardCharsets.UTF_8));
            System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
            int exit = BrokerMain.execute(args.toArray(String[]::new));
            return new Printed(
                    exit, outBytes.toString(StandardCharsets.UTF_8), errBytes.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
            System.setIn(in);
        }
    }

    private record Printed(int exit, String out, String err) {
        List<JsonNode> json() {
            return out.lines()
                    .map(line -> {
                        try {
                            return JSON.readTree(line);
                        } catch (IOException e) {
                            throw new AssertionError("not JSON: " + line, e);
                        }
                    })
                    .toList();
        }
    }

    @Test
    void lines_go_in_and_come_out() {
        assertThat(run("topics", "create", "greetings", "--partitions", "2").exit())
                .isZero();
        assertThat(runWithInput("a=hello\nb=world\n", "produce", "greetings", "--key-separator", "=")
                        .exit())
                .isZero();

        Printed read = run("consume", "greetings", "--json");

        assertThat(read.json())
                .extracting(record -> record.get("value").asText())
                .containsExactlyInAnyOrder("hello", "world");
        assertThat(run("consume", "greetings", "--max", "1").out().lines()).hasSize(1);
    }

    @Test
    void topics_are_listed_described_changed_and_deleted() {
        run("topics", "create", "orders", "--set", "retention.ms=1000");

        assertThat(run("topics", "list", "--json").json())
                .extracting(topic -> topic.get("topic").asText())
                .contains("orders");
        assertThat(run("topics", "change", "orders", "--partitions", "3", "--set", "segment.bytes=2048")
                        .exit())
                .isZero();
        assertThat(run("topics", "describe", "orders").out())
                .contains("retention.ms")
                .contains("2048");
        assertThat(run("topics", "delete", "orders").exit()).isZero();
        assertThat(run("topics", "list").out()).doesNotContain("orders");
    }

    @Test
    void a_mistake_is_one_line_that_says_what_is_allowed() {
        Printed refused = run("topics", "create", "bad", "--set", "segment.bytes=5");

        assertThat(refused.exit()).isNotZero();
        assertThat(refused.err())
                .contains("segment.bytes is '5'")
                .contains("1024")
                .doesNotContain("\tat ");
        assertThat(run("groups", "reset", "g", "nowhere", "--to", "yesterday").err())
                .contains("earliest, latest, an offset");
    }

    @Test
    void groups_are_moved_described_and_deleted() {
        run("topics", "create", "news");
        runWithInput("one\ntwo\nthree\n", "produce", "news");

        assertThat(run("groups", "reset", "readers", "news", "--to", "1").exit())
                .isZero();

        JsonNode row = run("groups", "describe", "readers", "--json").json().get(0);
        assertThat(row.get("position").asLong()).isEqualTo(1);
        assertThat(row.get("lag").asLong()).isEqualTo(2);
        assertThat(run("groups", "list").out()).contains("readers");
        assertThat(run("groups", "delete", "readers").exit()).isZero();
        assertThat(run("groups", "list").out()).doesNotContain("readers");
    }

    @Test
    void an_open_transaction_is_found_and_aborted() throws Exception {
        run("topics", "create", "ledger");
        Map<String, Object> settings =
                Map.of("bootstrap.servers", broker.bootstrap(), "transactional.id", "clerk", "linger.ms", "0");
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("ledger", "half")).get();

            assertThat(run("transactions", "list").out()).contains("clerk").contains("Ongoing");
            assertThat(run("transactions", "describe", "clerk").out()).contains("ledger-0");
            JsonNode hanging = run("transactions", "hanging", "--older-than", "PT0S", "--json")
                    .json()
                    .get(0);
            assertThat(hanging.get("topic").asText()).isEqualTo("ledger");

            assertThat(run("transactions", "abort", "--id", "clerk").exit()).isZero();
            assertThat(run("transactions", "hanging", "--older-than", "PT0S", "--json")
                            .json())
                    .isEmpty();
        }
    }
}
