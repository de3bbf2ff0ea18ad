package io.millrace.acceptance.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.acceptance.fixture.Brokers;
import io.millrace.acceptance.fixture.Folders;
import io.millrace.acceptance.fixture.TestPostgres;
import io.millrace.testbed.ChildProcess;
import io.millrace.testbed.RunningBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills the flight job with SIGKILL again and again, while it loads, aggregates and writes, and compares its tables with a
 * batch computation over the file. {@code -Dmillrace.kills=30} for the long version, {@code -Dmillrace.seed=N} to
 * have the same moments again.
 */
class FlightJobKilledAtRandomMomentsIT {
    private static final Logger LOG = LoggerFactory.getLogger(FlightJobKilledAtRandomMomentsIT.class);
    private static final int KILLS = Integer.getInteger("millrace.kills", 5);
    private static final int EARLIEST_MS = 700;
    private static final int LATEST_MS = 4500;
    /** Slow enough that the input lasts for all the kills: each life loads about this long. */
    private static final int PACE = 20_000 / Math.max(4, KILLS * 3 / 2);

    private final long seed = Long.getLong("millrace.seed", System.nanoTime());

    @Test
    void table_in_h2_equals_the_batch_computation_row_by_row() throws Exception {
        Path dir = Folders.create("flights-h2");
        RunningBroker broker = Brokers.start(Folders.create("broker-h2"));

        try (broker) {
            run(dir, List.of("--bootstrap", broker.bootstrap(), "--embedded", dir.toString()));
        }

        String url = "jdbc:h2:file:" + dir.resolve("flights");
        assertThat(FlightBatch.storedHours(url)).isEqualTo(FlightBatch.expectedHours());
    }

    /** Broker, job and database in one process, all killed at once. */
    @Test
    void everything_in_one_process_comes_back_whole() throws Exception {
        Path dir = Folders.create("flights-embedded");

        run(dir, List.of("--embedded", dir.toString()));

        String url = "jdbc:h2:file:" + dir.resolve("flights");
        assertThat(FlightBatch.storedHours(url)).isEqualTo(FlightBatch.expectedHours());
    }

    @Test
    void table_without_any_key_in_postgresql_has_each_flight_once() throws Exception {
        Path dir = Folders.create("flights-postgresql");
        String url = TestPostgres.newDatabase("flights");
        RunningBroker broker = Brokers.start(Folders.create("broker-postgresql"));

        try (broker) {
            run(
                    dir,
                    List.of(
                            "--bootstrap",
                            broker.bootstrap(),
                            "--embedded",
                            dir.toString(),
                            "--jdbc",
                            url,
                            "--each-flight",
                            "--workers",
                            "2"));
        }

        assertThat(FlightBatch.storedHours(url)).isEqualTo(FlightBatch.expectedHours());
        assertThat(FlightBatch.storedFlights(url)).isEqualTo(FlightBatch.expectedFlights());
    }

    private void run(Path dir, List<String> arguments) {
        Random random = new Random(seed);
        LOG.info("seed {}, {} kills, everything in {}", seed, KILLS, dir);
        List<String> paced = new ArrayList<>(arguments);
        paced.addAll(List.of("--pace", Integer.toString(PACE)));
        for (int kill = 1; kill <= KILLS; kill++) {
            int afterMs = EARLIEST_MS + random.nextInt(LATEST_MS - EARLIEST_MS);
            try (ChildProcess job = FatJar.start("flight-delays", dir, paced.toArray(String[]::new))) {
                boolean ended = job.awaitExit(Duration.ofMillis(afterMs));
                assertThat(ended && job.exitCode() != 0).as(job::output).isFalse();
                job.killHard();
                LOG.info("kill {} of {} after {} ms{}", kill, KILLS, afterMs, ended ? ", too late: it had ended" : "");
            }
        }
        try (ChildProcess job = FatJar.start("flight-delays", dir, arguments.toArray(String[]::new))) {
            assertThat(job.awaitExit(Duration.ofMinutes(3))).as(job::output).isTrue();
            assertThat(job.exitCode()).as(job::output).isZero();
            assertThat(job.output()).contains("20,000 of 20,000 flights");
        }
    }
}
