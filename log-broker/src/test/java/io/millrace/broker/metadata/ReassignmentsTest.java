package io.millrace.broker.metadata;

import static io.millrace.broker.metadata.ControllerSteps.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.metadata.ControllerCommand.AlterReassignments;
import io.millrace.broker.metadata.ControllerCommand.Reassignment;
import io.millrace.broker.wire.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReassignmentsTest {
    private final ControllerSteps cluster = ControllerSteps.withBrokers(6);

    @BeforeEach
    void a_topic() {
        cluster.topic("t", List.of(1, 2, 3));
    }

    @Test
    void a_reassignment_adds_new_replicas_and_keeps_the_old_ones_for_now() {
        PartitionImage moving = value(cluster.reassign("t", 4, 5, 3));

        assertThat(moving.replicas()).containsExactlyInAnyOrder(1, 2, 3, 4, 5);
        assertThat(moving.adding()).containsExactly(4, 5);
        assertThat(moving.removing()).containsExactly(1, 2);
        assertThat(moving.target()).containsExactly(4, 5, 3);
        assertThat(moving.inSync()).containsExactly(1, 2, 3);
        assertThat(moving.leader()).isEqualTo(1);
    }

    @Test
    void it_is_done_when_all_replicas_that_it_wants_are_in_sync() {
        cluster.reassign("t", 4, 5, 3);

        cluster.inSync("t", 1, 2, 3, 4);
        assertThat(cluster.of("t").isReassigning()).isTrue();

        PartitionImage done = value(cluster.inSync("t", 1, 2, 3, 4, 5));
        assertThat(done.isReassigning()).isFalse();
        assertThat(done.replicas()).containsExactly(4, 5, 3);
        assertThat(done.inSync()).containsExactly(4, 5, 3);
        assertThat(done.leader()).as("in place of one that is gone").isEqualTo(4);
        assertThat(done.leaderEpoch()).isEqualTo(1);
    }

    @Test
    void a_leader_that_stays_leads_on() {
        cluster.reassign("t", 4, 1);

        PartitionImage done = value(cluster.inSync("t", 1, 2, 3, 4));

        assertThat(done.replicas()).containsExactly(4, 1);
        assertThat(done.leader()).isEqualTo(1);
    }

    /** What it fetches with the copy that it is about to delete must not count for the new one. */
    @Test
    void a_replica_that_goes_and_comes_back_is_not_taken_for_the_one_that_it_was() {
        assertThat(value(cluster.reassign("t", 1, 2)).leaderEpoch())
                .as("without 3")
                .isEqualTo(1);
        assertThat(value(cluster.reassign("t", 1, 2, 3)).leaderEpoch())
                .as("3 is to come")
                .isEqualTo(1);
        assertThat(value(cluster.cancel("t")).leaderEpoch())
                .as("without 3 again")
                .isEqualTo(2);
        cluster.reassign("t", 1, 2, 3);
        assertThat(value(cluster.inSync("t", 1, 2, 3)).leaderEpoch())
                .as("3 is there")
                .isEqualTo(2);
    }

    @Test
    void taking_replicas_away_and_another_order_are_done_at_once() {
        assertThat(value(cluster.reassign("t", 3, 1)).replicas()).containsExactly(3, 1);
        assertThat(cluster.of("t").isReassigning()).isFalse();
        assertThat(cluster.of("t").leader()).isEqualTo(1);
    }

    @Test
    void a_cancelled_reassignment_restores_the_originals_in_their_order() {
        cluster.reassign("t", 4, 5, 3);
        cluster.inSync("t", 1, 2, 3, 4);

        PartitionImage restored = value(cluster.cancel("t"));

        assertThat(restored.replicas()).containsExactly(1, 2, 3);
        assertThat(restored.inSync()).containsExactly(1, 2, 3);
        assertThat(restored.isReassigning()).isFalse();
    }

    @Test
    void a_new_reassignment_takes_the_place_of_one_under_way() {
        cluster.reassign("t", 4, 5, 3);
        cluster.inSync("t", 1, 2, 3, 4);

        PartitionImage other = value(cluster.reassign("t", 6, 2));

        assertThat(other.adding()).containsExactly(6);
        assertThat(other.removing()).containsExactlyInAnyOrder(1, 3);
        assertThat(other.replicas()).containsExactlyInAnyOrder(1, 2, 3, 6);
        assertThat(other.inSync()).containsExactlyInAnyOrder(1, 2, 3);
        assertThat(value(cluster.cancel("t")).replicas()).containsExactly(1, 2, 3);
    }

    @Test
    void cancelling_where_nothing_is_under_way_is_refused() {
        assertThat(cluster.cancel("t").error()).isEqualTo(ErrorCode.NO_REASSIGNMENT_IN_PROGRESS);
        assertThat(cluster.cancel("nowhere").error()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void cancelling_is_refused_where_no_original_has_all_records() {
        cluster.reassign("t", 4);
        cluster.kill(2);
        cluster.kill(3);
        cluster.inSync("t", 1, 4); // which ends it, so once more from there
        cluster.reassign("t", 5, 6);
        cluster.inSync("t", 4, 5);
        cluster.kill(4);
        assertThat(cluster.of("t").inSync()).containsExactly(5);

        Outcome<PartitionImage> refused = cluster.cancel("t");

        assertThat(refused.error()).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(refused.message()).contains("[5]").contains("records would be lost");
        assertThat(cluster.of("t").isReassigning()).isTrue();
    }

    @Test
    void replicas_that_make_no_sense_are_refused() {
        assertThat(cluster.reassign("t").error()).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(cluster.reassign("t", 1, 1).error()).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(cluster.reassign("t", 1, 9).message())
                .isEqualTo("there is no broker 9 in this cluster; there are [1, 2, 3, 4, 5, 6]");
    }

    @Test
    void another_replication_factor_is_refused_where_the_request_does_not_allow_it() {
        List<Reassignment> changes = List.of(new Reassignment("t", 0, List.of(4, 5)));

        List<Outcome<PartitionImage>> answers = cluster.ask(reply -> new AlterReassignments(changes, false, reply));

        assertThat(answers).extracting(Outcome::error).containsExactly(ErrorCode.INVALID_REPLICATION_FACTOR);
    }

    @Test
    void both_orders_can_be_read_from_a_partition_that_moves() {
        PartitionImage moving = value(cluster.reassign("t", 4, 2));

        assertThat(moving.replicas()).containsExactly(4, 1, 2, 3);
        assertThat(moving.target()).containsExactly(4, 2);
    }

    @Test
    void a_reassignment_to_the_same_replicas_changes_nothing() {
        int records = cluster.journal.size();

        assertThat(value(cluster.reassign("t", 1, 2, 3))).isEqualTo(cluster.of("t"));

        assertThat(cluster.journal).hasSize(records);
    }
}
