package io.millrace.acceptance.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.sinks.jdbc.JdbcDatabase;
import io.millrace.streams.runtime.JobSettings;
import io.millrace.streams.runtime.JobStatus;
import io.millrace.streams.runtime.RunningJob;
import io.millrace.testbed.RestartablePostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.MemberDescription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code -Dmillrace.outage=180} seconds for the long version. */
class DatabaseRestartKillsTheTaskIT {
    private static final Duration OUTAGE = Duration.ofSeconds(Integer.getInteger("millrace.outage", 15));
    private static final String NAME = "outage";

    @RegisterExtension
    final JobBed bed = new JobBed();

    private int produced;

    @Test
    void job_waits_as_a_member_of_its_group_and_goes_on_when_the_database_is_back() throws Exception {
        bed.topics().create(SinkJob.in(NAME).name(), 2);
        try (RestartablePostgres postgres = RestartablePostgres.start(Folders.create("postgresql"))) {
            JdbcDatabase database = JdbcDatabase.at(postgres.url());
            // polls that waited for the database would exceed this limit
            JobSettings settings = bed.settings(NAME).client(Map.of("max.poll.interval.ms", "10000"));
            RunningJob running = bed.start(SinkJob.job(NAME, database), settings);
            produce(1000);
            running.awaitCaughtUp(JobBed.PATIENCE);
            List<String> membersBefore = members();

            postgres.stop();
            produce(1000);
            await().atMost(OUTAGE)
                    .until(() -> running.status().notes().stream().anyMatch(note -> note.startsWith("waiting: ")));
            await().during(OUTAGE)
                    .atMost(OUTAGE.plusSeconds(10))
                    .until(() -> running.status().state() == JobStatus.State.RUNNING);
            postgres.startAgain();

            await().atMost(Duration.ofSeconds(5))
                    .ignoreExceptionsInstanceOf(SQLException.class)
                    .until(() -> count(database) == 2000);
            assertThat(members()).isEqualTo(membersBefore);
            assertThat(running.failure()).isNull();
        }
    }

    private static int count(JdbcDatabase database) throws SQLException {
        try (var connection = database.open();
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT COUNT(*) FROM numbers")) {
            row.next();
            return row.getInt(1);
        }
    }

    private List<String> members() throws Exception {
        String group = NAME + ".into." + SinkJob.in(NAME).name();
        return bed
                .topics()
                .admin()
                .describeConsumerGroups(List.of(group))
                .describedGroups()
                .get(group)
                .get()
                .members()
                .stream()
                .map(MemberDescription::consumerId)
                .toList();
    }

    private void produce(int count) {
        for (int i = 0; i < count; i++) {
            bed.topics().send(SinkJob.in(NAME), produced, produced);
            produced++;
        }
        bed.topics().flush();
    }
}
