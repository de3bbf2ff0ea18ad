package io.millrace.streams.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BudgetWindowTest {
    private final BudgetWindow window = new BudgetWindow(BadRecordBudget.share(0.5, 10));

    @Test
    void is_exhausted_by_one_bad_record_more_than_the_limit() {
        bad(5);
        assertThat(window.exhausted()).isFalse();
        assertThat(window.room()).isZero();

        bad(1);

        assertThat(window.exhausted()).isTrue();
    }

    @Test
    void forgets_bad_records_that_left_the_window() {
        bad(5);
        good(10);
        bad(5);

        assertThat(window.exhausted()).isFalse();
    }

    @Test
    void goes_on_after_a_restart_from_what_the_offset_carries() {
        bad(5);
        BudgetWindow restarted = new BudgetWindow(BadRecordBudget.share(0.5, 10));

        restarted.load(window.save());
        restarted.bad();

        assertThat(restarted.exhausted()).isTrue();
    }

    @Test
    void ignores_metadata_of_others() {
        window.load("something");

        assertThat(window.save()).isEmpty();
    }

    @Test
    void none_allows_nothing() {
        BudgetWindow none = new BudgetWindow(BadRecordBudget.none());

        none.bad();

        assertThat(none.exhausted()).isTrue();
        assertThatThrownBy(() -> new BadRecordBudget(-1, 10)).hasMessageContaining("found -1 of 10");
    }

    private void bad(int count) {
        for (int i = 0; i < count; i++) {
            window.bad();
        }
    }

    private void good(int count) {
        for (int i = 0; i < count; i++) {
            window.good();
        }
    }
}
