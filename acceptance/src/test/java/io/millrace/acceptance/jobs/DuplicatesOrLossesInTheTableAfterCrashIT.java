package io.millrace.acceptance.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.acceptance.fixture.TestPostgres;
import io.millrace.sinks.jdbc.JdbcDatabase;
import io.millrace.streams.runtime.RunningJob;
import io.millrace.testbed.ChildProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code -Dmillrace.kills=20} for the long version. */
class DuplicatesOrLossesInTheTableAfterCrashIT {
    private static final Logger LOG = LoggerFactory.getLogger(DuplicatesOrLossesInTheTableAfterCrashIT.class);
    private static final int KILLS = Integer.getInteger("millrace.kills", 5);
    private static final int RECORDS = 5_000;
    private static final String NAME = "sink-crash";

    @RegisterExtension
    final JobBed bed = new JobBed();

    private int produced;

    @Test
    void table_without_any_key_has_each_record_once() throws Exception {
        long seed = Long.getLong("millrace.seed", System.nanoTime());
        LOG.info("seed {}", seed);
        Random random = new Random(seed);
        String url = TestPostgres.newDatabase("sink_crash");
        Path dir = Folders.create(NAME);
        bed.topics().create(SinkJob.in(NAME).name(), 3);

        for (int kill = 0; kill < KILLS; kill++) {
            ChildProcess child = ChildProcess.ofOwnClass(
                    SinkJob.class,
                    dir.resolve("output"),
                    NAME,
                    url,
                    "--bootstrap",
                    bed.bootstrap(),
                    "--state",
                    dir.toString());
            try (child) {
                child.awaitExit(Duration.ofMillis(500 + random.nextInt(1000)));
                produce(RECORDS / KILLS);
                child.awaitExit(Duration.ofMillis(random.nextInt(1000)));
                child.killHard();
            }
        }
        produce(RECORDS - produced);
        JdbcDatabase database = JdbcDatabase.at(url);
        try (RunningJob running = bed.start(SinkJob.job(NAME, database), bed.settings(dir))) {
            running.awaitCaughtUp(JobBed.PATIENCE);
        }

        try (var connection = database.open();
                var statement = connection.createStatement();
                var row = statement.executeQuery(SinkJob.COUNT)) {
            assertThat(row.next()).isTrue();
            assertThat(row.getInt(1)).isEqualTo(RECORDS);
            assertThat(row.getInt(2)).isEqualTo(RECORDS);
        }
    }

    private void produce(int count) {
        for (int i = 0; i < count; i++) {
            bed.topics().send(SinkJob.in(NAME), produced, produced);
            produced++;
        }
        bed.topics().flush();
    }
}
