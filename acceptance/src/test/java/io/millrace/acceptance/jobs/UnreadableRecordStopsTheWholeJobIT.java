package io.millrace.acceptance.jobs;

import static io.millrace.streams.Formats.int64;
import static io.millrace.streams.Formats.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.streams.Job;
import io.millrace.streams.Topic;
import io.millrace.streams.runtime.BadRecordBudget;
import io.millrace.streams.runtime.FailurePolicy;
import io.millrace.streams.runtime.JobSettings;
import io.millrace.streams.runtime.RunningJob;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class UnreadableRecordStopsTheWholeJobIT {
    @RegisterExtension
    final JobBed bed = new JobBed();

    @Test
    void two_broken_records_of_ten_become_dead_letters_with_their_coordinates() {
        Topic<String, Long> in = input("two-broken");
        Topic<String, Long> out = Topic.of("two-broken-out", text(), int64());
        for (long number = 0; number < 10; number++) {
            sendBrokenOr(in, number, number == 2 || number == 7);
        }
        bed.topics().flush();

        bed.runUntilCaughtUp(copy("two-broken", in, out), bed.settings("two-broken"));

        assertThat(bed.topics().values(out)).containsExactly(0L, 1L, 3L, 4L, 5L, 6L, 8L, 9L);
        List<ConsumerRecord<byte[], byte[]>> letters = bed.topics().readRaw("two-broken-dead-letters");
        assertThat(letters).hasSize(2);
        assertThat(header(letters.get(1), "millrace.origin.topic")).isEqualTo("two-broken-in");
        assertThat(header(letters.get(1), "millrace.origin.partition")).isEqualTo("0");
        assertThat(header(letters.get(1), "millrace.origin.offset")).isEqualTo("7");
        assertThat(header(letters.get(1), "millrace.stage")).isEqualTo("two-broken-in");
        assertThat(header(letters.get(1), "millrace.error.class")).endsWith("FormatException");
        assertThat(letters.get(1).key()).isEqualTo("k".getBytes(UTF_8));
        assertThat(letters.get(1).value()).isEqualTo("broken".getBytes(UTF_8));
        assertThat(bed.topics().committed("two-broken", in.name())).isEqualTo(Map.of(0, 10L));
    }

    @Test
    void the_job_stops_when_everything_is_broken_and_stays_within_its_budget_when_started_again() {
        Topic<String, Long> in = input("all-broken");
        Job job = copy("all-broken", in, Topic.of("all-broken-out", text(), int64()));
        JobSettings settings =
                bed.settings("all-broken").failures(FailurePolicy.DEFAULT.budget(BadRecordBudget.share(0.5, 10)));
        for (long number = 0; number < 10; number++) {
            sendBrokenOr(in, number, true);
        }
        bed.topics().flush();

        for (int start = 1; start <= 3; start++) {
            try (RunningJob running = bed.start(job, settings)) {
                await().atMost(JobBed.PATIENCE).until(() -> running.failure() != null);

                assertThat(running.failure()).hasMessageContaining("are bad").hasMessageContaining("raise the budget");
            }
        }

        assertThat(bed.topics().committed("all-broken", in.name()).getOrDefault(0, 0L))
                .isLessThanOrEqualTo(5);
        assertThat(bed.topics().readRaw("all-broken-dead-letters")).hasSizeLessThanOrEqualTo(5);
    }

    @Test
    void a_record_whose_output_the_log_refuses_becomes_a_dead_letter() {
        Topic<String, String> in = Topic.of("too-large-in", text(), text());
        Topic<String, String> out = Topic.of("too-large-out", text(), text());
        bed.topics().create(in.name(), 1);
        bed.topics().create(out.name(), 1, Map.of("max.message.bytes", "70000"));
        List.of("a", "b", "c").forEach(value -> bed.topics().send(in, "k", value));
        bed.topics().flush();
        Job job = Job.define(
                "too-large",
                flow -> flow.from(in)
                        .map(value -> value.equals("b") ? incompressible(200_000) : value)
                        .to(out));

        bed.runUntilCaughtUp(job, bed.settings("too-large"));

        assertThat(bed.topics().values(out)).containsExactly("a", "c");
        assertThat(bed.topics().readRaw("too-large-dead-letters"))
                .extracting(letter -> header(letter, "millrace.origin.offset"))
                .containsExactly("1");
    }

    @Test
    void the_job_stops_and_skips_nothing_when_the_dead_letter_cannot_be_written() {
        Topic<String, String> in = Topic.of("no-letters-in", text(), text());
        bed.topics().create(in.name(), 1);
        bed.topics().create("no-letters-dead-letters", 1, Map.of("max.message.bytes", "300"));
        bed.topics().send(in, "k", incompressible(1000));
        bed.topics().flush();
        Job job = Job.define(
                "no-letters",
                flow -> flow.from(in)
                        .map(value -> {
                            if (value.length() > 10) {
                                throw new IllegalArgumentException("too long for me");
                            }
                            return value;
                        })
                        .to(Topic.of("no-letters-out", text(), text())));

        try (RunningJob running = bed.start(job, bed.settings("no-letters"))) {
            await().atMost(JobBed.PATIENCE).until(() -> running.failure() != null);

            assertThat(running.failure()).hasMessageContaining("Nothing may be skipped here");
        }

        assertThat(bed.topics().committed("no-letters", in.name())).isEmpty();
    }

    private Topic<String, Long> input(String name) {
        Topic<String, Long> in = Topic.of(name + "-in", text(), int64());
        bed.topics().create(in.name(), 1);
        return in;
    }

    private static Job copy(String name, Topic<String, Long> in, Topic<String, Long> out) {
        return Job.define(name, flow -> flow.from(in).to(out));
    }

    private void sendBrokenOr(Topic<String, Long> topic, long number, boolean broken) {
        if (broken) {
            bed.topics().sendRaw(topic.name(), "k".getBytes(UTF_8), "broken".getBytes(UTF_8));
        } else {
            bed.topics().send(topic, "k", number);
        }
    }

    private static String incompressible(int length) {
        StringBuilder text = new StringBuilder();
        new java.util.Random(1).ints(length, 'a', 'z').forEach(letter -> text.append((char) letter));
        return text.toString();
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }
}
