package io.millrace.broker.quorum;

import static io.millrace.broker.quorum.QuorumMember.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.metadata.proto.ProposalRecord;
import io.millrace.kernel.EventCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuorumStateTest {
    private final QuorumState state = new QuorumState();

    private static ProposalRecord unit(long term, long number, boolean formed, EventCodec.Entry... entries) {
        ProposalRecord.Builder unit =
                ProposalRecord.newBuilder().setTerm(term).setNumber(number).setFormed(formed);
        List.of(entries).forEach(entry -> unit.addEntries(QuorumState.record(entry)));
        return unit.build();
    }

    private static List<String> keys(QuorumState state) {
        return state.entries().stream()
                .map(entry -> new String(entry.key(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void units_count_once_the_quorum_is_formed_and_none_form_it_again() {
        assertThat(state.take(1, unit(1, 1, false))).isFalse();
        assertThat(state.take(1, unit(1, 0, false, entry("a", "1")))).isTrue();
        assertThat(state.formed()).isFalse();
        assertThat(state.take(2, unit(2, 0, false, entry("a", "1"))))
                .as("again after a failure")
                .isTrue();
        assertThat(state.take(2, unit(2, 0, true, entry("b", "2")))).isTrue();
        assertThat(state.formed()).isTrue();

        assertThat(state.take(2, unit(2, 0, true, entry("c", "3")))).isFalse();
        assertThat(state.take(2, unit(2, 1, false, entry("d", "4")))).isTrue();

        assertThat(keys(state)).containsExactly("a", "b", "d");
    }

    @Test
    void units_of_another_term_or_behind_a_gap_do_not_count() {
        state.take(1, unit(1, 0, true));

        assertThat(state.take(2, unit(1, 1, false))).as("of an ended term").isFalse();
        assertThat(state.take(2, unit(2, 2, false))).as("the first was lost").isFalse();
        assertThat(state.take(2, unit(2, 1, false))).isTrue();
        assertThat(state.take(2, unit(2, 3, false))).isFalse();
        assertThat(state.take(2, unit(2, 2, false))).isTrue();
        assertThat(state.take(3, unit(3, 1, false))).isTrue();
    }

    @Test
    void a_snapshot_holds_the_newest_values_in_the_order_of_updates_and_which_unit_comes_next() {
        state.take(1, unit(1, 0, true, entry("a", "1"), entry("b", "1"), entry("c", "1")));
        state.take(1, unit(1, 1, false, entry("a", "2"), entry("b", null)));

        QuorumState restored = QuorumState.of(state.snapshot());

        assertThat(keys(restored)).containsExactly("c", "a");
        assertThat(restored.take(1, unit(1, 1, false))).isFalse();
        assertThat(restored.take(1, unit(1, 2, false))).isTrue();
    }
}
