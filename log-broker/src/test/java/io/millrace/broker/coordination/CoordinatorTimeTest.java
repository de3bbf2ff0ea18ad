package io.millrace.broker.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.kernel.Clock;
import org.junit.jupiter.api.Test;

class CoordinatorTimeTest {
    private long wallMs = 1_000_000;
    private long monotonicMs = 50;

    private final Clock clock = new Clock() {
        @Override
        public long wallMs() {
            return wallMs;
        }

        @Override
        public long monotonicMs() {
            return monotonicMs;
        }
    };

    @Test
    void a_wall_clock_that_is_set_moves_no_deadline() {
        CoordinatorTime time = new CoordinatorTime(clock);

        wallMs -= 3_600_000;
        monotonicMs += 10;

        assertThat(time.nowMs()).isEqualTo(1_000_010);
    }

    @Test
    void time_goes_on_where_the_log_ends_on_a_machine_whose_clock_is_behind() {
        CoordinatorTime time = new CoordinatorTime(clock);

        time.notBefore(2_000_000);
        monotonicMs += 10;

        assertThat(time.nowMs()).isEqualTo(2_000_010);
    }

    @Test
    void a_log_that_ended_long_ago_does_not_set_time_back() {
        CoordinatorTime time = new CoordinatorTime(clock);

        time.notBefore(1_000);

        assertThat(time.nowMs()).isEqualTo(1_000_000);
    }
}
