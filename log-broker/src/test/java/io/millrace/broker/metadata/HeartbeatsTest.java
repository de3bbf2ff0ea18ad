package io.millrace.broker.metadata;

import static io.millrace.broker.metadata.ControllerSteps.SESSION_MS;
import static io.millrace.broker.metadata.PartitionImage.NO_LEADER;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.metadata.BrokerImage.State;
import io.millrace.broker.metadata.ControllerCommand.HeartbeatAnswer;
import io.millrace.broker.metadata.ControllerCommand.Suspect;
import io.millrace.broker.wire.ErrorCode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeartbeatsTest {
    private static final Map<String, String> MIN_2 = Map.of("min.insync.replicas", "2");

    private final ControllerSteps cluster = ControllerSteps.withBrokers(3);

    @Test
    void a_heartbeat_of_an_older_registration_is_refused() {
        cluster.restart(1, true);

        assertThat(cluster.beat(1, 1, true, false, false).error()).isEqualTo(ErrorCode.STALE_BROKER_EPOCH);
        assertThat(cluster.beat(7, 1, true, false, false).error()).isEqualTo(ErrorCode.BROKER_ID_NOT_REGISTERED);
    }

    @Test
    void a_heartbeat_is_not_recorded() {
        int records = cluster.journal.size();

        HeartbeatAnswer answer = cluster.beat(1);

        assertThat(answer).isEqualTo(new HeartbeatAnswer(true, false, false));
        assertThat(cluster.journal).hasSize(records);
    }

    @Test
    void a_silent_broker_is_fenced_when_its_session_is_over() {
        cluster.topic("t", List.of(1, 2, 3));

        cluster.pass(SESSION_MS - 1, 2, 3);
        assertThat(cluster.broker(1).state()).isEqualTo(State.ACTIVE);

        cluster.pass(1, 2, 3);
        assertThat(cluster.broker(1).state()).isEqualTo(State.FENCED);
        assertThat(cluster.of("t").leader()).isEqualTo(2);
        assertThat(cluster.of("t").inSync()).containsExactly(2, 3);
    }

    @Test
    void the_next_deadline_is_the_end_of_the_first_session() {
        assertThat(cluster.deadlineInMs()).isEqualTo(SESSION_MS);

        cluster.pass(1_000, 1, 2);

        assertThat(cluster.deadlineInMs()).isEqualTo(SESSION_MS - 1_000);
    }

    @Test
    void a_new_controller_gives_every_broker_most_of_its_time_again() {
        cluster.pass(SESSION_MS - 1);
        cluster.takeOver();

        cluster.pass(SESSION_MS * 3 / 4 - 1);
        assertThat(cluster.image().unfenced()).hasSize(3);

        cluster.pass(1);
        assertThat(cluster.image().unfenced()).isEmpty();
    }

    @Test
    void brokers_that_fall_silent_together_stay_in_sync_together() {
        cluster.topic("t", List.of(1, 2, 3));

        cluster.pass(SESSION_MS);
        assertThat(cluster.of("t").inSync()).containsExactly(1, 2, 3);
        assertThat(cluster.of("t").leader()).isEqualTo(NO_LEADER);

        cluster.beat(2);
        assertThat(cluster.of("t").leader()).isEqualTo(2);
        assertThat(cluster.of("t").inSync()).containsExactly(2);
    }

    @Test
    void a_suspect_is_fenced_at_once() {
        Outcome<BrokerImage> fenced = cluster.ask(reply -> new Suspect(1, 1, reply));

        assertThat(ControllerSteps.value(fenced).state()).isEqualTo(State.FENCED);
    }

    @Test
    void a_suspicion_about_an_older_process_is_refused() {
        cluster.restart(1, true);
        cluster.beat(1);

        Outcome<BrokerImage> refused = cluster.ask(reply -> new Suspect(1, 1, reply));

        assertThat(refused.error()).isEqualTo(ErrorCode.STALE_BROKER_EPOCH);
        assertThat(cluster.broker(1).active()).isTrue();
    }

    @Test
    void a_broker_that_was_fenced_by_mistake_serves_again_with_its_next_heartbeat() {
        cluster.topic("t", List.of(1));
        cluster.kill(1);
        assertThat(cluster.of("t").leader()).isEqualTo(NO_LEADER);

        HeartbeatAnswer answer = cluster.beat(1);

        assertThat(answer.fenced()).isFalse();
        assertThat(cluster.of("t").leader()).isEqualTo(1);
        assertThat(cluster.of("t").leaderEpoch()).isEqualTo(2);
    }

    @Test
    void a_broker_that_wants_a_fence_gets_it() {
        cluster.topic("t", List.of(1, 2));

        cluster.beat(1, 1, true, true, false);

        assertThat(cluster.broker(1).fenced()).isTrue();
        assertThat(cluster.of("t").leader()).isEqualTo(2);
        assertThat(ControllerSteps.value(cluster.beat(1, 1, true, true, false)).fenced())
                .isTrue();
    }

    @Test
    void a_broker_that_stops_hands_over_what_it_leads_and_leaves_in_sync_sets() {
        cluster.topic("t", List.of(1, 2, 3), List.of(2, 1, 3));

        HeartbeatAnswer first = cluster.wantsStop(1);

        assertThat(first.shouldStop()).as("others have to hear of it first").isFalse();
        assertThat(cluster.broker(1).state()).isEqualTo(State.DRAINING);
        assertThat(cluster.of("t").leader()).isEqualTo(2);
        assertThat(cluster.of("t").inSync()).containsExactly(2, 3);
        assertThat(cluster.partition("t", 1).inSync()).containsExactly(2, 3);
        assertThat(cluster.wantsStop(1).shouldStop()).isTrue();
    }

    @Test
    void a_broker_that_stops_keeps_what_nobody_else_can_lead() {
        cluster.topic("alone", List.of(1));

        assertThat(cluster.wantsStop(1).shouldStop()).isTrue();

        assertThat(cluster.of("alone").leader()).isEqualTo(1);
    }

    @Test
    void a_broker_that_stops_hands_over_to_an_eligible_one() {
        cluster.topic("t", MIN_2, List.of(1, 2));
        cluster.inSync("t", 1);
        assertThat(cluster.of("t").eligible()).containsExactly(2);

        cluster.wantsStop(1);

        assertThat(cluster.of("t").leader()).isEqualTo(2);
        assertThat(cluster.of("t").inSync()).containsExactly(2);
        assertThat(cluster.of("t").eligible()).containsExactly(1);
    }

    @Test
    void a_broker_that_stops_hands_over_as_soon_as_another_one_gets_in_sync() {
        cluster.topic("t", List.of(1, 2));
        cluster.inSync("t", 1);
        cluster.wantsStop(1);
        assertThat(cluster.of("t").leader()).isEqualTo(1);

        cluster.inSync("t", 1, 2);

        assertThat(cluster.of("t").leader()).isEqualTo(2);
        assertThat(cluster.wantsStop(1).shouldStop()).isFalse();
        assertThat(cluster.of("t").inSync()).containsExactly(2);
        assertThat(cluster.wantsStop(1).shouldStop()).isTrue();
    }

    @Test
    void a_fenced_broker_may_stop_at_once() {
        cluster.kill(1);

        assertThat(cluster.wantsStop(1)).isEqualTo(new HeartbeatAnswer(true, true, true));
    }

    @Test
    void a_broker_that_has_stopped_serves_again_after_its_next_start() {
        cluster.wantsStop(1);
        cluster.restart(1, true);

        cluster.beat(1);

        assertThat(cluster.broker(1).state()).isEqualTo(State.ACTIVE);
    }
}
