package io.millrace.acceptance.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.acceptance.fixture.TestTopics;
import io.millrace.testbed.ApacheKafka;
import io.millrace.testbed.ChildProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The fat JARs, unchanged, on an Apache Kafka. */
class SameJarsOnApacheKafkaIT {
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
            topics.create(FatJar.LINES.name(), 2);
            ChildProcess job =
                    FatJar.start("word-count", dir, "--bootstrap", kafka.bootstrap(), "--state", dir.toString());
            try (job) {
                topics.send(FatJar.LINES, null, "To be, or not to be");
                topics.flush();

                await().atMost(Duration.ofSeconds(30))
                        .ignoreExceptions()
                        .until(() ->
                                topics.latest(FatJar.COUNTS).equals(Map.of("to", 2L, "be", 2L, "or", 1L, "not", 1L)));

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
                FatJar.start("flight-delays", dir, "--bootstrap", kafka.bootstrap(), "--embedded", dir.toString())) {
            assertThat(job.awaitExit(Duration.ofMinutes(2))).as(job::output).isTrue();

            assertThat(job.exitCode()).as(job::output).isZero();
            assertThat(job.output()).contains("20,000 of 20,000 flights");
        }
        assertThat(FlightBatch.storedHours("jdbc:h2:file:" + dir.resolve("flights")))
                .isEqualTo(FlightBatch.expectedHours());
    }
}
