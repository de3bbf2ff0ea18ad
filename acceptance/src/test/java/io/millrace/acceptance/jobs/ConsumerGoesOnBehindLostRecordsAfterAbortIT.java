package io.millrace.acceptance.jobs;

import static io.millrace.streams.Formats.int32;
import static io.millrace.streams.Formats.int64;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Aggregations;
import io.millrace.streams.Emission;
import io.millrace.streams.Job;
import io.millrace.streams.Topic;
import io.millrace.streams.runtime.RunningJob;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ConsumerGoesOnBehindLostRecordsAfterAbortIT {
    private static final List<Integer> NUMBERS = IntStream.range(0, 10).boxed().toList();
    private static final List<Long> SUMS = List.of(0L, 1L, 3L, 6L, 10L, 15L, 21L, 28L, 36L, 45L);

    @RegisterExtension
    final JobBed bed = new JobBed();

    private final AtomicBoolean struck = new AtomicBoolean();

    @Test
    void outputs_are_complete_and_in_order_though_user_code_throws_once() {
        Topic<Integer, Integer> out = run("throws-once", value -> {
            if (value == 6 && struck.compareAndSet(false, true)) {
                throw new IllegalStateException("once");
            }
            return value;
        });

        assertThat(struck).isTrue();
        assertThat(bed.topics().values(out)).isEqualTo(NUMBERS);
    }

    @Test
    void outputs_are_complete_and_in_order_though_the_producer_is_fenced_in_mid_interval() {
        Topic<Integer, Integer> out = run("fenced-once", value -> {
            if (value == 6 && struck.compareAndSet(false, true)) {
                bed.topics().fence("fenced-once-slot-0");
            }
            return value;
        });

        assertThat(struck).isTrue();
        assertThat(bed.topics().values(out)).isEqualTo(NUMBERS);
    }

    @Test
    void states_return_to_the_last_commit_too() {
        Topic<Integer, Long> out = runningSums("sums", Emission.EVERY_CHANGE);

        assertThat(struck).isTrue();
        assertThat(bed.topics().values(out)).containsExactlyElementsOf(SUMS);
    }

    @Test
    void latest_values_of_a_lost_interval_are_computed_again_and_written_once() {
        Topic<Integer, Long> out = runningSums("latest-sums", Emission.LATEST);

        assertThat(struck).isTrue();
        List<Long> written = bed.topics().values(out);
        assertThat(written).isSorted().doesNotHaveDuplicates().isSubsetOf(SUMS).endsWith(45L);
    }

    private Topic<Integer, Long> runningSums(String name, Emission emission) {
        Topic<Integer, Integer> in = Topic.of(name + "-in", int32(), int32());
        Topic<Integer, Long> out = Topic.of(name + "-out", int32(), int64());
        bed.topics().create(in.name(), 1);
        Job job = Job.define(
                name,
                flow -> flow.from(in)
                        .peek(value -> {
                            if (value == 6 && struck.compareAndSet(false, true)) {
                                bed.topics().fence(name + "-slot-0");
                            }
                        })
                        .aggregate("sum", Aggregations.sum(value -> value), emission)
                        .to(out));
        NUMBERS.forEach(number -> bed.topics().send(in, 1, number));
        bed.topics().flush();
        bed.runUntilCaughtUp(job, bed.settings(name));
        return out;
    }

    private Topic<Integer, Integer> run(String name, UnaryOperator<Integer> step) {
        Topic<Integer, Integer> in = Topic.of(name + "-in", int32(), int32());
        Topic<Integer, Integer> out = Topic.of(name + "-out", int32(), int32());
        bed.topics().create(in.name(), 1);
        NUMBERS.forEach(number -> bed.topics().send(in, 1, number));
        bed.topics().flush();
        try (RunningJob running =
                bed.start(Job.define(name, flow -> flow.from(in).map(step).to(out)))) {
            running.awaitCaughtUp(JobBed.PATIENCE);
        }
        return out;
    }
}
