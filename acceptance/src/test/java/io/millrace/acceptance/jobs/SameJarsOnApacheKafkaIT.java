package io.millrace.acceptance.jobs;

import static io.millrace.streams.Formats.int64;
import static io.millrace.streams.Formats.none;
import static io.millrace.streams.Formats.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.acceptance.fixture.ApacheKafka;
import io.millrace.acceptance.fixture.ChildProcess;
import io.millrace.acceptance.fixture.Folders;
import io.millrace.acceptance.fixture.TestTopics;
import io.millrace.streams.Topic;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The fat JARs, unchanged, on an Apache Kafka. */
class SameJarsOnApacheKafkaIT {
    private static final Topic<Void, String> LINES = Topic.of("lines", none(), text());
    private static final Topic<String, Long> COUNTS = Topic.of("counts", text(), int64());

    private static ApacheKafka kafka;

    @BeforeAll
    static void start() {
        kafka = ApacheKafka.start(Folders.create("apache-kafka"));
    }

    @AfterAll
    static void stop() {
        kafka.close();
    }

    @Test
    void word_count_counts_and_leaves_on_a_signal() {
        Path dir = Folders.create("word-count");
        try (TestTopics topics = new TestTopics(kafka.bootstrap())) {
            topics.create(LINES.name(), 2);
            ChildProcess job = jar("word-count", dir, "--bootstrap", kafka.bootstrap(), "--state", dir.toString());
            try (job) {
                topics.send(LINES, null, "To be, or not to be");
                topics.flush();

                await().atMost(Duration.ofSeconds(30))
                        .ignoreExceptions()
                        .until(() -> topics.latest(COUNTS).equals(Map.of("to", 2L, "be", 2L, "or", 1L, "not", 1L)));

                job.terminate();
                assertThat(job.awaitExit(Duration.ofSeconds(10)))
                        .as(job::output)
                        .isTrue();
            }
        }
    }

    @Test
    void flight_delays_counts_every_flight() throws Exception {
        Path dir = Folders.create("flights");
        try (ChildProcess job =
                jar("flight-delays", dir, "--bootstrap", kafka.bootstrap(), "--embedded", dir.toString())) {
            assertThat(job.awaitExit(Duration.ofMinutes(2))).as(job::output).isTrue();

            assertThat(job.exitCode()).as(job::output).isZero();
            assertThat(job.output()).contains("20,000 of 20,000 flights");
        }
        assertThat(FlightBatch.storedHours("jdbc:h2:file:" + dir.resolve("flights")))
                .isEqualTo(FlightBatch.expectedHours());
    }

    private static ChildProcess jar(String name, Path dir, String... arguments) {
        List<String> command = new java.util.ArrayList<>(List.of(
                "-jar", Path.of("..", "examples", "target", name + ".jar").toString()));
        command.addAll(List.of(arguments));
        return ChildProcess.java(command, dir.resolve("output"));
    }
}
