package io.millrace.acceptance.jobs;

import static io.millrace.streams.Aggregations.count;
import static io.millrace.streams.Emission.EVERY_CHANGE;
import static io.millrace.streams.Formats.int64;
import static io.millrace.streams.Formats.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.streams.Job;
import io.millrace.streams.Topic;
import io.millrace.streams.runtime.Millrace;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RewindMeansDeletingGroupsAndFoldersByHandIT {
    private static final Topic<String, String> IN = Topic.of("rewind-in", text(), text());
    private static final Topic<String, String> BY_VALUE = Topic.of("rewind-by-value", text(), text());
    private static final Topic<String, Long> OUT = Topic.of("rewind-out", text(), int64());

    private static final Job JOB = Job.define(
            "rewind",
            flow -> flow.from(IN)
                    .keyBy(value -> value)
                    .through(BY_VALUE)
                    .aggregate("counts", count(), EVERY_CHANGE)
                    .to(OUT));

    @RegisterExtension
    final JobBed bed = new JobBed();

    private final Path dir = Folders.create("rewind");

    @Test
    void one_command_makes_the_job_compute_again_with_new_states() {
        bed.topics().create(IN.name(), 1);
        send("a");
        send("b");
        send("a");
        bed.runUntilCaughtUp(JOB, bed.settings(dir));
        assertThat(bed.topics().latest(OUT)).isEqualTo(Map.of("a", 2L, "b", 1L));

        int code =
                Millrace.execute(JOB, "--bootstrap", bed.bootstrap(), "--state", dir.toString(), "--reset", "earliest");
        send("b");
        bed.runUntilCaughtUp(JOB, bed.settings(dir));

        assertThat(code).isZero();
        assertThat(bed.topics().latest(OUT)).isEqualTo(Map.of("a", 2L, "b", 2L));
        assertThat(bed.topics().values(OUT)).as("of both runs").hasSize(3 + 4);
    }

    @Test
    void a_running_job_is_not_reset() {
        Topic<String, String> in = Topic.of("running-in", text(), text());
        bed.topics().create(in.name(), 1);
        Job job = Job.define("running", flow -> flow.from(in).to(Topic.of("running-out", text(), text())));
        bed.start(job).awaitCaughtUp(JobBed.PATIENCE);

        int code = Millrace.execute(job, "--bootstrap", bed.bootstrap(), "--reset", "earliest");

        assertThat(code).isEqualTo(1);
    }

    private void send(String value) {
        bed.topics().send(IN, "k", value);
        bed.topics().flush();
    }
}
