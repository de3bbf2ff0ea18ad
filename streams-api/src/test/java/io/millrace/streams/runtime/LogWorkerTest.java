package io.millrace.streams.runtime;

import static io.millrace.streams.Formats.none;
import static io.millrace.streams.Formats.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Job;
import io.millrace.streams.Topic;
import io.millrace.streams.plan.Plan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.junit.jupiter.api.Test;

class LogWorkerTest {
    private static final Topic<Void, String> IN = Topic.of("in", none(), text());
    private static final Topic<Void, String> OUT = Topic.of("out", none(), text());

    private final JobCounters counters = new JobCounters();

    @Test
    void commits_outputs_and_positions_and_leaves() {
        FakeLog log = new FakeLog("a", "b", "c", "d", "e");

        run(log, value -> value + "!");

        assertThat(log.committed).containsExactly("out a!", "out b!", "out c!", "out d!", "out e!");
        assertThat(log.events).containsExactly("session", "leave", "close");
    }

    /** With the last record's epoch it would seem to stand where the log of that epoch never was. */
    @Test
    void position_behind_a_marker_has_the_epoch_of_the_marker() {
        FakeLog log = new FakeLog("a", "b").endWithMarker(2);

        run(log, value -> value);

        assertThat(log.offset()).isEqualTo(3);
        assertThat(log.leaderEpoch()).hasValue(2);
    }

    @Test
    void returns_to_the_last_commit_after_an_abort() {
        FakeLog log = new FakeLog("a", "b", "c", "d")
                .failCommits(new TransactionAbortableException("no"), new TimeoutException("slow"));

        run(log, value -> value);

        assertThat(log.committed).containsExactly("out a", "out b", "out c", "out d");
        assertThat(log.events).containsExactly("session", "rewind", "rewind", "leave", "close");
    }

    @Test
    void begins_a_new_session_when_its_identity_is_finished() {
        FakeLog log = new FakeLog("a", "b").failCommits(new ProducerFencedException("replaced"));

        run(log, value -> value);

        assertThat(log.committed).containsExactly("out a", "out b");
        assertThat(log.events).containsExactly("session", "close", "session", "leave", "close");
    }

    @Test
    void stops_when_a_person_has_to_change_something() {
        FakeLog log = new FakeLog("a").failCommits(new TopicAuthorizationException("out"));

        assertThatThrownBy(() -> run(log, value -> value)).isInstanceOf(TopicAuthorizationException.class);

        assertThat(log.committed).isEmpty();
        assertThat(log.events).containsExactly("session", "rewind", "close");
    }

    @Test
    void buries_the_record_whose_output_the_log_refuses_and_no_other() {
        FakeLog log = new FakeLog("a", "b", "c").refuse("b", new RecordTooLargeException("too large"));

        run(log, value -> value);

        assertThat(log.committed).containsExactly("out a", "job-dead-letters b", "out c");
    }

    @Test
    void attempts_a_failing_record_three_times_before_it_is_buried() {
        FakeLog log = new FakeLog("a", "b");
        int[] attempts = {0};

        run(log, value -> {
            if (value.equals("a")) {
                attempts[0]++;
                throw new IllegalStateException("never");
            }
            return value;
        });

        assertThat(attempts[0]).isEqualTo(3);
        assertThat(log.committed).containsExactly("job-dead-letters a", "out b");
        assertThat(counters.deadLetters.sum()).isEqualTo(1);
    }

    @Test
    void stops_over_budget_without_committing_the_records_over_it() {
        FakeLog log = new FakeLog("a", "b", "c", "d", "e", "f");

        assertThatThrownBy(() -> run(log, value -> {
                    throw new IllegalStateException("all of them");
                }))
                .isInstanceOf(JobStoppedException.class)
                .hasMessageContaining("at in-0 offset 2")
                .hasMessageContaining("3 of the last 4 records are bad, 2 are allowed");

        assertThat(log.offset()).isLessThanOrEqualTo(2);
    }

    private void run(FakeLog log, Function<String, String> step) {
        Job job = Job.define("job", flow -> flow.from(IN).map(step).to(OUT));
        JobSettings settings = JobSettings.of("nowhere:1", Path.of("."))
                .timing(Timing.DEFAULT.commitInterval(Duration.ZERO))
                .failures(FailurePolicy.DEFAULT.budget(new BadRecordBudget(2, 4)));
        TopicCatalog topics = new TopicCatalog("cluster", Map.of("in", new TopicCatalog.Entry(Uuid.ZERO_UUID, 1)));
        Workspace workspace = new Workspace(Plan.of(job), settings, null, null, topics, null, null, counters);

        new LogWorker(workspace, log::open, log::isRead).run();
    }
}
