package io.millrace.streams.plan;

import static io.millrace.streams.Aggregations.count;
import static io.millrace.streams.Formats.int64;
import static io.millrace.streams.Formats.none;
import static io.millrace.streams.Formats.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Job;
import io.millrace.streams.KeyedStream;
import io.millrace.streams.Step;
import io.millrace.streams.Topic;
import io.millrace.streams.sink.Sink;
import io.millrace.streams.sink.SinkIdentity;
import io.millrace.streams.sink.SinkWriter;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class PlanTest {
    private static final Topic<Void, String> LINES = Topic.of("lines", none(), text());
    private static final Topic<String, String> WORDS = Topic.of("words", text(), text());
    private static final Topic<String, Long> COUNTS = Topic.of("counts", text(), int64());

    private static final Job WORD_COUNT = Job.define(
            "word-count",
            flow -> flow.from(LINES)
                    .flatMap(line -> List.of(line.split(" ", -1)))
                    .keyBy(word -> word)
                    .through(WORDS)
                    .aggregate("word-counts", count())
                    .to(COUNTS));

    /** Stands for a database. */
    private record Nowhere<K, V>() implements Sink<K, V> {
        @Override
        public String describe() {
            return "nowhere";
        }

        @Override
        public SinkWriter<K, V> open(SinkIdentity identity) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void a_stage_begins_at_each_topic_that_is_read() {
        Plan plan = Plan.of(WORD_COUNT);

        assertThat(plan.logStages()).extracting(Stage::name).containsExactly("lines", "words");
        assertThat(plan.logStages().get(1).states()).containsExactly("word-counts");
        assertThat(plan.sources()).containsExactly(LINES);
        assertThat(plan.targets()).containsExactly(WORDS, COUNTS);
    }

    @Test
    void a_sink_is_a_stage_with_a_group_of_its_own() {
        Job job = Job.define("j", flow -> {
            flow.from(WORDS).into(new Nowhere<>());
            flow.from(WORDS).map(String::strip).to(Topic.of("stripped", text(), text()));
        });

        Plan plan = Plan.of(job);

        assertThat(plan.logStages()).extracting(Stage::group).containsExactly("j");
        assertThat(plan.sinkStages()).extracting(Stage::group).containsExactly("j.into.words");
    }

    @Test
    void branches_that_read_one_topic_share_a_stage() {
        Job job = Job.define("j", flow -> {
            flow.from(WORDS).aggregate("all", count()).to(COUNTS);
            flow.from(WORDS)
                    .filter(word -> word.length() > 3)
                    .aggregate("long", count())
                    .to(COUNTS);
        });

        Plan plan = Plan.of(job);

        assertThat(plan.logStages()).hasSize(1);
        assertThat(plan.logStages().get(0).states()).containsExactly("all", "long");
    }

    @Test
    void a_table_that_keeps_its_keys_is_written_as_its_latest_values() {
        assertThat(writesLatest(counts -> counts.to(COUNTS))).isTrue();
        assertThat(writesLatest(counts ->
                        counts.filter(n -> n > 1).map(n -> -n).peek(n -> {}).through(COUNTS)))
                .isTrue();
    }

    @Test
    void nothing_is_left_out_where_one_value_becomes_several_or_keys_are_mixed() {
        assertThat(writesLatest(counts -> counts.flatMap(n -> List.of(n, n)).to(COUNTS)))
                .isFalse();
        assertThat(writesLatest(counts -> counts.keyBy(n -> "all").to(COUNTS))).isFalse();
    }

    @Test
    void what_has_been_through_a_topic_is_no_longer_a_table() {
        assertThat(writesLatest(counts -> counts.through(COUNTS).map(n -> n).to(Topic.of("copies", text(), int64()))))
                .as("the last step reads the topic")
                .isFalse();
    }

    /** Of the last step of a job that counts words and goes on like this. */
    private static boolean writesLatest(Consumer<KeyedStream<String, Long>> rest) {
        Job job = Job.define("j", flow -> rest.accept(flow.from(WORDS).aggregate("n", count())));
        Step last = job.steps().get(job.steps().size() - 1);
        return Plan.of(job).logStages().stream()
                .filter(stage -> stage.steps().contains(last))
                .findFirst()
                .orElseThrow()
                .writesLatest(last);
    }

    @Test
    void refuses_two_declarations_of_one_topic() {
        Job job = Job.define("j", flow -> {
            flow.from(WORDS).to(COUNTS_AS_TEXT);
            flow.from(LINES).keyBy(line -> line).map(line -> 1L).to(COUNTS);
        });

        assertThatThrownBy(() -> Plan.of(job))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("declares topic counts twice, with text/text and with text/int64");
    }

    private static final Topic<String, String> COUNTS_AS_TEXT = Topic.of("counts", text(), text());

    @Test
    void refuses_two_states_or_two_sinks_of_one_name() {
        Job states = Job.define("j", flow -> {
            flow.from(WORDS).aggregate("n", count()).to(COUNTS);
            flow.from(WORDS).aggregate("n", count()).to(COUNTS);
        });
        Job sinks = Job.define("j", flow -> {
            flow.from(WORDS).into(new Nowhere<>());
            flow.from(WORDS).into(new Nowhere<>());
        });

        assertThatThrownBy(() -> Plan.of(states)).hasMessageContaining("two states named 'n'");
        assertThatThrownBy(() -> Plan.of(sinks)).hasMessageContaining("two sinks named 'words'");
    }

    @Test
    void refuses_names_that_cannot_be_part_of_a_topic_name() {
        assertThatThrownBy(() -> Job.define("my job", flow -> flow.from(LINES))).hasMessageContaining("found 'my job'");
        assertThatThrownBy(() -> Topic.of("a/b", text(), text())).hasMessageContaining("found 'a/b'");
    }

    @Test
    void description_names_stages_topics_and_states() {
        Description description = new Description(Plan.of(WORD_COUNT));

        assertThat(description.text())
                .contains("job word-count, exactly once", "stage words, committed by the log")
                .contains("count into word-counts", "changelog word-count-word-counts-changelog")
                .contains("writes  words (text -> text)" + System.lineSeparator())
                .contains("writes  counts (text -> int64), the latest of each key and commit");
        assertThat(description.mermaid())
                .startsWith("flowchart LR")
                .contains("topic_lines([\"lines\"]) --> stage_lines[\"flatMap<br/>keyBy\"]")
                .contains("stage_words <--> state_word_counts[(\"word-counts\")]");
    }

    @Test
    void a_job_is_a_value() {
        assertThat(WORD_COUNT.atLeastOnce()).isNotEqualTo(WORD_COUNT);
        assertThat(WORD_COUNT.atLeastOnce().steps()).isEqualTo(WORD_COUNT.steps());
    }
}
