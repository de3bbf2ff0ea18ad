package io.millrace.acceptance.jobs;

import static io.millrace.streams.Aggregations.count;
import static io.millrace.streams.Formats.int64;
import static io.millrace.streams.Formats.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Job;
import io.millrace.streams.Topic;
import io.millrace.streams.runtime.JobStoppedException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TopicsMissingOrNotAlikeIT {
    @RegisterExtension
    final JobBed bed = new JobBed();

    @Test
    void all_missing_inputs_are_named_with_the_next_step() {
        Job job = Job.define("inputs-missing", flow -> {
            flow.from(topic("absent-1")).to(topic("copy"));
            flow.from(topic("absent-2")).to(topic("copy"));
        });

        assertThatThrownBy(() -> bed.start(job))
                .isInstanceOf(JobStoppedException.class)
                .hasMessageContaining("topic absent-1, which the job reads, does not exist")
                .hasMessageContaining("millrace topics create absent-2");
    }

    @Test
    void topics_that_the_job_writes_are_created_like_its_input() throws Exception {
        bed.topics().create("alike-in", 3);
        Job job = Job.define(
                "alike",
                flow -> flow.from(topic("alike-in"))
                        .keyBy(value -> value)
                        .through(topic("alike-through"))
                        .aggregate("n", count())
                        .to(Topic.of("alike-out", text(), int64())));

        bed.runUntilCaughtUp(job, bed.settings("alike"));

        Map<String, TopicDescription> topics = bed.topics()
                .admin()
                .describeTopics(List.of("alike-through", "alike-out", "alike-n-changelog", "alike-dead-letters"))
                .allTopicNames()
                .get();
        assertThat(topics.get("alike-through").partitions()).hasSize(3);
        assertThat(topics.get("alike-out").partitions()).hasSize(3);
        assertThat(topics.get("alike-n-changelog").partitions()).hasSize(3);
        assertThat(topics.get("alike-dead-letters").partitions()).hasSize(1);
        assertThat(setting("alike-n-changelog", "cleanup.policy")).isEqualTo("compact");
        assertThat(setting("alike-through", "retention.ms")).isEqualTo("-1");
    }

    @Test
    void an_input_that_has_grown_past_its_state_is_refused_with_both_numbers() throws Exception {
        bed.topics().create("grown-in", 2);
        Job job = Job.define(
                "grown",
                flow -> flow.from(topic("grown-in"))
                        .aggregate("n", count())
                        .to(Topic.of("grown-out", text(), int64())));
        bed.runUntilCaughtUp(job, bed.settings("grown"));
        bed.topics()
                .admin()
                .createPartitions(Map.of("grown-in", NewPartitions.increaseTo(5)))
                .all()
                .get();

        assertThatThrownBy(() -> bed.start(job))
                .hasMessageContaining("topic grown-in has 5 partitions, its changelog grown-n-changelog has 2");
    }

    @Test
    void one_state_directory_serves_one_process_at_a_time() {
        bed.topics().create("twice-in", 1);
        Job job = Job.define("twice", flow -> flow.from(topic("twice-in")).to(topic("twice-out")));
        var settings = bed.settings("twice");
        bed.start(job, settings);

        assertThatThrownBy(() -> bed.start(job, settings))
                .hasMessageContaining("is in use by another process")
                .hasMessageContaining("--state DIR");
    }

    @Test
    void at_least_once_needs_no_transaction() {
        bed.topics().create("less-in", 1);
        Topic<String, Long> out = Topic.of("less-out", text(), int64());
        Job job = Job.define(
                        "less",
                        flow -> flow.from(topic("less-in"))
                                .aggregate("n", count())
                                .to(out))
                .atLeastOnce();
        for (int i = 0; i < 100; i++) {
            bed.topics().send(topic("less-in"), "k", "v");
        }
        bed.topics().flush();

        bed.runUntilCaughtUp(job, bed.settings("less"));

        assertThat(bed.topics().latest(out)).isEqualTo(Map.of("k", 100L));
    }

    private String setting(String topic, String name) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return bed.topics()
                .admin()
                .describeConfigs(List.of(resource))
                .all()
                .get()
                .get(resource)
                .get(name)
                .value();
    }

    private static Topic<String, String> topic(String name) {
        return Topic.of(name, text(), text());
    }
}
