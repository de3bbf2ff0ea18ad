package io.millrace.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.settings.Values;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ControllerTimesTest {

    @Test
    void the_defaults_are_those_of_the_field() {
        ControllerTimes times = ControllerTimes.of(Values.ofBroker(Map.of()));

        assertThat(times).isEqualTo(new ControllerTimes(9_000, true, 300_000));
    }

    @Test
    void what_is_set_counts() {
        Values set = Values.ofBroker(Map.of(
                "broker.session.timeout.ms", "1500",
                "auto.leader.rebalance.enable", "false",
                "leader.imbalance.check.interval.seconds", "7"));

        assertThat(ControllerTimes.of(set)).isEqualTo(new ControllerTimes(1_500, false, 7_000));
    }

    @Test
    void no_broker_is_fenced_for_less_silence_than_a_session_that_began_with_an_earlier_controller() {
        Sessions ofANewController = new Sessions(9_000, 0);
        long least = ControllerTimes.leastSessionMs(9_000);

        assertThat(ofANewController.isOver(1, least)).isFalse();
        assertThat(least).isEqualTo(4_500);
    }

    @Test
    void times_that_make_no_sense_are_refused() {
        assertThatThrownBy(() -> new ControllerTimes(0, true, 5)).hasMessageContaining("time-out of 0 ms");
    }
}
