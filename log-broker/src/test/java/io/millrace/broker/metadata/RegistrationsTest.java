package io.millrace.broker.metadata;

import static io.millrace.broker.metadata.ControllerSteps.SESSION_MS;
import static io.millrace.broker.metadata.ControllerSteps.value;
import static io.millrace.broker.metadata.PartitionImage.NO_LEADER;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.metadata.BrokerImage.State;
import io.millrace.broker.metadata.ControllerCommand.RegisterBroker;
import io.millrace.broker.metadata.ControllerCommand.Unregister;
import io.millrace.broker.wire.ErrorCode;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class RegistrationsTest {
    private static final Map<String, String> MIN_2 = Map.of("min.insync.replicas", "2");

    private final ControllerSteps cluster = ControllerSteps.withBrokers(3);

    @Test
    void a_broker_that_registers_is_fenced_until_it_has_caught_up() {
        value(cluster.register(4, "rack4", true));
        assertThat(cluster.broker(4).state()).isEqualTo(State.FENCED);

        value(cluster.beat(4, cluster.broker(4).epoch(), false, false, false));
        assertThat(cluster.broker(4).state()).isEqualTo(State.FENCED);

        value(cluster.beat(4, cluster.broker(4).epoch(), true, false, false));
        assertThat(cluster.broker(4).state()).isEqualTo(State.ACTIVE);
    }

    @Test
    void every_registration_gets_an_epoch_above_all_others() {
        cluster.restart(1, true);
        cluster.restart(3, true);

        assertThat(cluster.broker(1).epoch()).isEqualTo(4);
        assertThat(cluster.broker(3).epoch()).isEqualTo(5);
    }

    @Test
    void a_repeated_registration_gets_the_same_answer_and_changes_nothing() {
        Uuid incarnation = Uuid.randomUuid();
        BrokerImage first = value(cluster.register(4, "host4", "rack4", true, incarnation));
        cluster.beat(4);
        int records = cluster.journal.size();

        BrokerImage again = value(cluster.register(4, "host4", "rack4", false, incarnation));

        assertThat(again.epoch()).isEqualTo(first.epoch());
        assertThat(again.active()).isTrue();
        assertThat(cluster.journal).hasSize(records);
    }

    @Test
    void a_second_process_with_the_id_of_a_living_broker_is_refused() {
        Outcome<BrokerImage> second = cluster.register(2, "elsewhere", "rack2", true, Uuid.randomUuid());

        assertThat(second.error()).isEqualTo(ErrorCode.DUPLICATE_BROKER_REGISTRATION);
        assertThat(second.message()).contains("broker 2 lives at host2:9092").contains("elsewhere:9092");
        assertThat(cluster.broker(2).host()).isEqualTo("host2");
    }

    @Test
    void a_process_with_the_id_of_a_fenced_broker_takes_its_place() {
        cluster.kill(2);

        value(cluster.register(2, "elsewhere", "rack2", true, Uuid.randomUuid()));

        assertThat(cluster.broker(2).host()).isEqualTo("elsewhere");
    }

    @Test
    void a_process_with_the_id_of_a_broker_whose_session_is_over_takes_its_place() {
        cluster.pass(SESSION_MS - 1, 1, 3);
        assertThat(cluster.register(2, "elsewhere", "rack2", true, Uuid.randomUuid())
                        .error())
                .isEqualTo(ErrorCode.DUPLICATE_BROKER_REGISTRATION);

        cluster.pass(1, 1, 3);
        value(cluster.register(2, "elsewhere", "rack2", true, Uuid.randomUuid()));
    }

    @Test
    void a_broker_that_restarts_at_once_leaves_leaderships_and_in_sync_sets() {
        cluster.topic("t", List.of(1, 2, 3));

        cluster.restart(1, true);

        assertThat(cluster.broker(1).state()).isEqualTo(State.FENCED);
        assertThat(cluster.of("t").leader()).isEqualTo(2);
        assertThat(cluster.of("t").leaderEpoch()).isEqualTo(1);
        assertThat(cluster.of("t").inSync()).containsExactly(2, 3);
    }

    @Test
    void an_unclean_restart_costs_a_broker_its_place_among_the_eligible() {
        cluster.topic("t", MIN_2, List.of(1, 2));
        cluster.kill(2);
        assertThat(cluster.of("t").eligible()).containsExactly(2);

        cluster.restart(2, false);

        assertThat(cluster.of("t").eligible()).isEmpty();
        assertThat(cluster.of("t").leader()).isEqualTo(1);
    }

    @Test
    void a_clean_restart_does_not() {
        cluster.topic("t", MIN_2, List.of(1, 2));
        cluster.kill(2);

        cluster.restart(2, true);

        assertThat(cluster.of("t").eligible()).containsExactly(2);
    }

    @Test
    void an_unclean_restart_of_the_only_one_in_sync_leaves_it_to_the_eligible() {
        cluster.topic("t", MIN_2, List.of(1, 2));
        cluster.kill(2);

        cluster.restart(1, false);

        assertThat(cluster.of("t").inSync()).containsExactly(2);
        assertThat(cluster.of("t").eligible()).isEmpty();
        assertThat(cluster.of("t").leader()).isEqualTo(NO_LEADER);
    }

    @Test
    void an_unclean_restart_of_the_last_one_that_has_all_records_is_noted() {
        cluster.topic("t", List.of(1, 2));
        cluster.kill(2);

        cluster.restart(1, false);

        assertThat(cluster.of("t").lastLeader()).isEqualTo(1);
        assertThat(cluster.of("t").inSync()).containsExactly(1);
        assertThat(cluster.of("t").leader()).isEqualTo(NO_LEADER);
    }

    @Test
    void a_registration_that_makes_no_sense_is_refused() {
        Outcome<BrokerImage> refused =
                cluster.ask(reply -> new RegisterBroker(9, "h", 70_000, "", Uuid.randomUuid(), true, false, reply));

        assertThat(refused.error()).isEqualTo(ErrorCode.INVALID_REGISTRATION);
        assertThat(refused.message()).contains("70000").contains("65535");
    }

    @Test
    void a_broker_is_forgotten_only_when_it_is_fenced_and_has_no_replicas() {
        cluster.topic("t", List.of(1, 2));
        assertThat(unregister(2).message()).contains("broker 2 is ACTIVE");

        cluster.kill(2);
        assertThat(unregister(2).error()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(unregister(2).message()).contains("t-0");

        cluster.reassign("t", 1);
        value(unregister(2));
        assertThat(cluster.image().brokers()).containsOnlyKeys(1, 3);
        assertThat(unregister(2).error()).isEqualTo(ErrorCode.BROKER_ID_NOT_REGISTERED);
    }

    private Outcome<BrokerImage> unregister(int id) {
        return cluster.ask(reply -> new Unregister(id, reply));
    }

    @Test
    void the_controllers_own_process_serves_at_once_and_keeps_what_it_leads() {
        Outcome<BrokerImage> first = own(9092);
        cluster.topic("t", List.of(9));
        int epoch = cluster.partition("t", 0).leaderEpoch();

        Outcome<BrokerImage> restarted = own(9093);

        assertThat(((Outcome.Done<BrokerImage>) first).value().active()).isTrue();
        assertThat(((Outcome.Done<BrokerImage>) restarted).value().active()).isTrue();
        assertThat(cluster.partition("t", 0).leader()).isEqualTo(9);
        assertThat(cluster.partition("t", 0).leaderEpoch()).isEqualTo(epoch);
    }

    private Outcome<BrokerImage> own(int port) {
        return cluster.ask(reply -> new RegisterBroker(9, "h", port, "", Uuid.randomUuid(), true, true, reply));
    }
}
