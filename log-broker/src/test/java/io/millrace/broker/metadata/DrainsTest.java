package io.millrace.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.metadata.BrokerImage.State;
import io.millrace.broker.metadata.ControllerSteps.Drained;
import io.millrace.broker.wire.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrainsTest {
    private final ControllerSteps cluster = ControllerSteps.withBrokers(4);

    @Test
    void leaderships_move_at_once_and_replicas_are_on_their_way() {
        cluster.topic("t", List.of(1, 2, 3), List.of(2, 3, 4));

        Drained drained = cluster.drain(1, true);

        assertThat(drained.broker().state()).isEqualTo(State.DRAINING);
        assertThat(drained.moving()).isEqualTo(1);
        assertThat(drained.waiting()).isZero();
        assertThat(cluster.of("t").leader()).isEqualTo(2);
        assertThat(cluster.of("t").inSync()).containsExactly(1, 2, 3);
        assertThat(cluster.of("t").target()).containsExactly(4, 2, 3);
        assertThat(cluster.partition("t", 1).isReassigning()).isFalse();
    }

    @Test
    void the_broker_is_rid_of_a_partition_when_the_new_replica_is_in_sync() {
        cluster.topic("t", List.of(1));
        cluster.drain(1, true);
        assertThat(cluster.of("t").leader()).as("nobody else can lead yet").isEqualTo(1);
        int successor = cluster.of("t").preferred();

        cluster.inSync("t", 1, successor);

        assertThat(cluster.of("t").replicas()).containsExactly(successor);
        assertThat(cluster.of("t").leader()).isEqualTo(successor);
        assertThat(cluster.drain(1, true).moving()).isZero();
    }

    @Test
    void replicas_go_to_a_rack_without_one_and_to_the_broker_with_the_least() {
        ControllerSteps racks = new ControllerSteps();
        racks.start(1, "a");
        racks.start(2, "b");
        racks.start(3, "b");
        racks.start(4, "a");
        racks.start(5, "a");
        racks.topic("full", List.of(4), List.of(4));
        racks.topic("t", List.of(1, 2));

        racks.drain(1, true);

        assertThat(racks.of("t").target()).containsExactly(5, 2);
    }

    @Test
    void a_broker_stays_taken_out_through_a_restart() {
        cluster.topic("t", List.of(1));
        cluster.drain(1, true);

        cluster.restart(1, true);
        assertThat(cluster.broker(1).state()).isEqualTo(State.FENCED);
        cluster.beat(1);

        assertThat(cluster.broker(1).state()).isEqualTo(State.DRAINING);
        assertThat(cluster.of("t").leader()).as("for want of another").isEqualTo(1);
    }

    @Test
    void a_broker_that_is_let_in_again_is_active_and_leads_what_it_may() {
        cluster.topic("t", List.of(1, 2, 3));
        cluster.drain(1, true);

        Drained back = cluster.drain(1, false);

        assertThat(back.broker().state()).isEqualTo(State.ACTIVE);
        assertThat(back.broker().drained()).isFalse();
    }

    @Test
    void a_dead_broker_can_be_taken_out() {
        cluster.topic("t", List.of(1, 2));
        cluster.kill(1);

        assertThat(cluster.drain(1, true).moving()).isEqualTo(1);

        assertThat(cluster.broker(1).fenced()).isTrue();
        assertThat(cluster.of("t").target()).containsExactly(3, 2);
    }

    @Test
    void partitions_that_no_other_broker_can_take_wait_for_one() {
        cluster.topic("t", List.of(1, 2, 3, 4));
        assertThat(cluster.drain(1, true).waiting()).isEqualTo(1);

        cluster.start(5, "rack5");

        assertThat(cluster.of("t").target()).containsExactly(5, 2, 3, 4);
    }

    @Test
    void a_broker_that_is_taken_out_gets_no_new_replicas() {
        cluster.topic("t", List.of(2, 3));
        cluster.drain(1, true);

        assertThat(cluster.create("u", 8, 3).error()).isEqualTo(ErrorCode.NONE);
        assertThat(cluster.image().topic("u").partitions()).noneMatch(partition -> partition.isReplica(1));
        assertThat(cluster.create("v", 1, 4).error()).isEqualTo(ErrorCode.INVALID_REPLICATION_FACTOR);
        assertThat(cluster.reassign("t", 1, 2).message()).contains("broker 1 is taken out");
    }

    @Test
    void a_reassignment_under_way_to_the_broker_is_led_elsewhere() {
        cluster.topic("full", List.of(2));
        cluster.topic("t", List.of(2, 3));
        cluster.reassign("t", 1, 3);

        cluster.drain(1, true);

        assertThat(cluster.of("t").adding()).containsExactly(4);
        assertThat(cluster.of("t").target()).containsExactly(4, 3);
        assertThat(cluster.of("t").isReplica(1)).isFalse();
    }

    @Test
    void draining_a_broker_that_does_not_exist_is_refused() {
        Outcome<Boolean> refused = cluster.setDrain("9", true);

        assertThat(refused.error()).isEqualTo(ErrorCode.INVALID_CONFIG);
    }
}
