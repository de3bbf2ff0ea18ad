package io.millrace.streams.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class TaskOutputsTest {
    private static final int STEP = 1;
    private static final int OTHER_STEP = 2;

    private final TaskOutputs outputs = new TaskOutputs();
    private final List<String> sent = new ArrayList<>();

    @Test
    void sends_at_once_what_nothing_can_replace() {
        outputs.add(record("a", "1"));
        outputs.add(record("a", "2"));

        assertThat(outputs.sendRecord(this::note, origin(7))).isEqualTo(2);

        assertThat(sent).containsExactly("a=1 from 7", "a=2 from 7");
        assertThat(outputs.sendWaiting(this::note)).isZero();
    }

    @Test
    void of_one_key_only_the_last_is_sent_with_the_record_it_comes_from() {
        latest(STEP, "a", "1", 7);
        latest(STEP, "b", "1", 8);
        latest(STEP, "a", "2", 9);

        assertThat(sent).as("before the commit").isEmpty();
        assertThat(outputs.sendWaiting(this::note)).isEqualTo(2);
        assertThat(sent).containsExactly("a=2 from 9", "b=1 from 8");
    }

    @Test
    void each_interval_begins_without_the_last_ones_values() {
        latest(STEP, "a", "1", 7);
        outputs.sendWaiting(this::note);

        outputs.sendWaiting(this::note);

        assertThat(sent).containsExactly("a=1 from 7");
    }

    @Test
    void steps_that_write_to_one_topic_replace_only_their_own() {
        latest(STEP, "a", "1", 7);
        latest(OTHER_STEP, "a", "x", 8);

        outputs.sendWaiting(this::note);

        assertThat(sent).containsExactly("a=1 from 7", "a=x from 8");
    }

    @Test
    void a_failed_record_leaves_the_value_of_the_record_before() {
        latest(STEP, "a", "1", 7);
        outputs.addLatest(STEP, record("a", "bad"));
        outputs.add(record("b", "bad"));

        outputs.dropRecord();
        outputs.sendRecord(this::note, origin(8));
        outputs.sendWaiting(this::note);

        assertThat(sent).containsExactly("a=1 from 7");
    }

    @Test
    void an_aborted_interval_leaves_nothing() {
        latest(STEP, "a", "1", 7);

        outputs.clear();
        outputs.sendWaiting(this::note);

        assertThat(sent).isEmpty();
    }

    private void latest(int step, String key, String value, long offset) {
        outputs.addLatest(step, record(key, value));
        outputs.sendRecord(this::note, origin(offset));
    }

    private static ProducerRecord<byte[], byte[]> record(String key, String value) {
        return new ProducerRecord<>("out", key.getBytes(UTF_8), value.getBytes(UTF_8));
    }

    private static Origin origin(long offset) {
        return new Origin(FakeLog.INPUT, offset);
    }

    private void note(ProducerRecord<byte[], byte[]> record, Origin origin) {
        sent.add("%s=%s from %d"
                .formatted(new String(record.key(), UTF_8), new String(record.value(), UTF_8), origin.offset()));
    }
}
