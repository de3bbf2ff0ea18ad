package io.millrace.acceptance.jobs;

import static io.millrace.streams.Formats.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.streams.Job;
import io.millrace.streams.Topic;
import io.millrace.streams.runtime.JobSettings;
import io.millrace.streams.runtime.RunningJob;
import java.util.Map;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RetentionOvertakesTheJobIT {
    private static final Topic<String, String> IN = Topic.of("overtaken-in", text(), text());
    private static final Topic<String, String> OUT = Topic.of("overtaken-out", text(), text());

    @RegisterExtension
    final JobBed bed = new JobBed();

    @Test
    void records_deleted_unread_stop_the_job_instead_of_being_skipped() throws Exception {
        bed.topics().create(IN.name(), 1);
        Job job = Job.define("overtaken", flow -> flow.from(IN).to(OUT));
        JobSettings settings = bed.settings("overtaken");
        send("a");
        bed.runUntilCaughtUp(job, settings);
        send("b");
        send("c");
        bed.topics()
                .admin()
                .deleteRecords(Map.of(new TopicPartition(IN.name(), 0), RecordsToDelete.beforeOffset(2)))
                .all()
                .get();

        RunningJob running = bed.start(job, settings);
        await().atMost(JobBed.PATIENCE).until(() -> running.failure() != null);

        assertThat(running.failure())
                .hasMessageContaining("group overtaken is at {overtaken-in-0=1}")
                .hasMessageContaining("records were deleted before they were read");
        assertThat(bed.topics().values(OUT)).containsExactly("a");
    }

    private void send(String value) {
        bed.topics().send(IN, "k", value);
        bed.topics().flush();
    }
}
