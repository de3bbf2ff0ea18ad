package io.millrace.streams.operator;

import static io.millrace.streams.Aggregations.count;
import static io.millrace.streams.Emission.EVERY_CHANGE;
import static io.millrace.streams.Formats.int64;
import static io.millrace.streams.Formats.text;
import static io.millrace.streams.Formats.windowed;
import static io.millrace.streams.Windows.tumbling;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Flow;
import io.millrace.streams.Job;
import io.millrace.streams.Topic;
import io.millrace.streams.Windowed;
import io.millrace.streams.plan.Plan;
import io.millrace.streams.state.Overlay;
import io.millrace.streams.state.StateStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class OperatorChainTest implements TaskContext {
    private static final Topic<String, String> IN = Topic.of("in", text(), text());
    private static final Topic<String, String> OUT = Topic.of("out", text(), text());
    private static final Topic<String, Long> COUNTS = Topic.of("counts", text(), int64());
    private static final Topic<Windowed<String>, Long> WINDOWS = Topic.of("windows", windowed(text()), int64());

    private final Map<String, Overlay> states = new HashMap<>();
    private final List<String> sent = new ArrayList<>();
    private int late;

    @Test
    void passes_records_through_every_step_in_order() {
        OperatorChain chain = chain(flow -> flow.from(IN)
                .filterWithKey((key, value) -> !value.isEmpty())
                .flatMap(value -> List.of(value, value + "!"))
                .map(value -> value.toUpperCase(Locale.ROOT))
                .keyBy(value -> value.substring(0, 1))
                .to(OUT));

        chain.process("k", "ab", 5);
        chain.process("k", "", 6);

        assertThat(sent).containsExactly("out A=AB @5", "out A=AB! @5");
    }

    @Test
    void branches_of_one_topic_all_see_each_record() {
        OperatorChain chain = chain(flow -> {
            var in = flow.from(IN);
            in.map(value -> "1" + value).to(OUT);
            in.map(value -> "2" + value).to(OUT);
        });

        chain.process("k", "v", 0);

        assertThat(sent).containsExactly("out k=1v @0", "out k=2v @0");
    }

    @Test
    void aggregate_writes_each_value_in_place_of_the_one_before() {
        OperatorChain chain =
                chain(flow -> flow.from(IN).aggregate("n", count()).to(COUNTS));

        chain.process("a", "x", 0);
        chain.process("b", "x", 0);
        chain.process("a", "x", 0);

        assertThat(sent).containsExactly("latest counts a=1 @0", "latest counts b=1 @0", "latest counts a=2 @0");
    }

    @Test
    void aggregate_writes_every_change_if_it_is_told_to() {
        OperatorChain chain = chain(
                flow -> flow.from(IN).aggregate("n", count(), EVERY_CHANGE).to(COUNTS));

        chain.process("a", "x", 0);
        chain.process("a", "x", 0);

        assertThat(sent).containsExactly("counts a=1 @0", "counts a=2 @0");
    }

    @Test
    void aggregate_refuses_a_record_without_key() {
        OperatorChain chain =
                chain(flow -> flow.from(IN).aggregate("n", count()).to(COUNTS));

        assertThatThrownBy(() -> chain.process(null, "x", 0)).hasMessageContaining("state n needs a key");
    }

    @Test
    void windows_take_records_until_their_grace_is_over_and_count_the_late_ones() {
        OperatorChain chain = windows(10, 5);

        chain.process("a", "x", 3);
        chain.process("a", "x", 14);
        chain.process("a", "x", 9);
        chain.process("a", "x", 15);
        chain.process("a", "x", 9);

        assertThat(sent)
                .containsExactly(
                        "latest windows a[0-10]=1 @3",
                        "latest windows a[10-20]=1 @14",
                        "latest windows a[0-10]=2 @9",
                        "latest windows a[10-20]=2 @15");
        assertThat(late).isEqualTo(1);
    }

    @Test
    void windows_that_can_take_nothing_more_are_removed_from_the_state() {
        OperatorChain chain = windows(10, 0);

        for (int time = 0; time < 1000; time += 5) {
            chain.process("a", "x", time);
        }

        assertThat(states.get("w").changes().stream().filter(change -> change.value() != null))
                .as("the open window and the stream time")
                .hasSize(2);
    }

    @Test
    void lateness_is_decided_alike_after_a_restart() {
        windows(10, 0).process("a", "x", 30);

        windows(10, 0).process("a", "x", 19);

        assertThat(late).isEqualTo(1);
    }

    private OperatorChain windows(int sizeMs, int graceMs) {
        return chain(flow -> flow.from(IN)
                .windowed(tumbling(Duration.ofMillis(sizeMs)).grace(Duration.ofMillis(graceMs)))
                .aggregate("w", count())
                .to(WINDOWS));
    }

    private OperatorChain chain(Consumer<Flow> definition) {
        return new OperatorChain(
                Plan.of(Job.define("j", definition)).logStages().get(0), this);
    }

    @Override
    public StateStore state(String name) {
        return states.computeIfAbsent(
                name,
                state -> new Overlay(new Overlay.Committed() {
                    @Override
                    public byte[] get(byte[] key) {
                        return null;
                    }

                    @Override
                    public List<byte[]> keys(byte[] from, byte[] to, int limit) {
                        return List.of();
                    }
                }));
    }

    @Override
    public void send(String topic, byte[] key, byte[] value, long timestampMs) {
        sent.add("%s %s @%d".formatted(topic, read(topic, key, value), timestampMs));
    }

    @Override
    public void sendLatest(int step, String topic, byte[] key, byte[] value, long timestampMs) {
        sent.add("latest %s %s @%d".formatted(topic, read(topic, key, value), timestampMs));
    }

    private static String read(String topic, byte[] key, byte[] value) {
        if (topic.equals("windows")) {
            Windowed<String> window = WINDOWS.keyFormat().read(topic, key);
            return "%s[%d-%d]=%d"
                    .formatted(
                            window.key(),
                            window.start().toEpochMilli(),
                            window.end().toEpochMilli(),
                            int64().read(topic, value));
        }
        return "%s=%s"
                .formatted(
                        text().read(topic, key),
                        topic.equals("counts") ? int64().read(topic, value) : text().read(topic, value));
    }

    @Override
    public void late(String state) {
        late++;
    }
}
