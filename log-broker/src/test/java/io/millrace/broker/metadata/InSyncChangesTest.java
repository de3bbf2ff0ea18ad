package io.millrace.broker.metadata;

import static io.millrace.broker.metadata.ControllerSteps.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.metadata.ControllerCommand.AlterPartitions;
import io.millrace.broker.metadata.ControllerCommand.InSyncChange;
import io.millrace.broker.metadata.ControllerCommand.InSyncMember;
import io.millrace.broker.wire.ErrorCode;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InSyncChangesTest {
    private final ControllerSteps cluster = ControllerSteps.withBrokers(4);

    @BeforeEach
    void a_topic() {
        cluster.topic("t", List.of(1, 2, 3));
    }

    @Test
    void a_leader_takes_a_replica_out_and_in_again() {
        assertThat(value(cluster.inSync("t", 3, 1)).inSync()).containsExactly(1, 3);
        assertThat(value(cluster.inSync("t", 2, 1, 3)).inSync()).containsExactly(1, 2, 3);
        assertThat(cluster.of("t").partitionEpoch()).isEqualTo(2);
        assertThat(cluster.of("t").leaderEpoch()).isZero();
    }

    @Test
    void a_change_that_changes_nothing_is_answered_and_not_recorded() {
        int records = cluster.journal.size();

        assertThat(value(cluster.inSync("t", 1, 2, 3))).isEqualTo(cluster.of("t"));

        assertThat(cluster.journal).hasSize(records);
    }

    @Test
    void a_change_from_an_older_registration_is_refused() {
        InSyncChange change = cluster.change("t", cluster.of("t"), List.of(1));

        Outcome<List<Outcome<PartitionImage>>> refused =
                cluster.ask(reply -> new AlterPartitions(1, 99, List.of(change), reply));

        assertThat(refused.error()).isEqualTo(ErrorCode.STALE_BROKER_EPOCH);
    }

    @Test
    void a_change_of_an_unknown_topic_or_partition_is_refused() {
        InSyncChange known = cluster.change("t", cluster.of("t"), List.of(1));

        assertThat(cluster.change(1, new InSyncChange(Uuid.randomUuid(), 0, 0, 0, known.inSync()))
                        .error())
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID);
        assertThat(cluster.change(1, new InSyncChange(known.topicId(), 1, 0, 0, known.inSync()))
                        .error())
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void a_change_from_an_older_epoch_is_refused() {
        PartitionImage old = cluster.of("t");
        cluster.kill(1);
        cluster.beat(1);

        assertThat(cluster.change(1, cluster.change("t", old, List.of(1))).error())
                .isEqualTo(ErrorCode.FENCED_LEADER_EPOCH);
    }

    @Test
    void a_change_of_an_older_record_is_refused() {
        PartitionImage old = cluster.of("t");
        cluster.inSync("t", 1, 2);

        assertThat(cluster.change(1, cluster.change("t", old, List.of(1))).error())
                .isEqualTo(ErrorCode.INVALID_UPDATE_VERSION);
    }

    @Test
    void a_change_of_a_record_that_this_controller_does_not_know_is_for_another_one() {
        InSyncChange change = cluster.change("t", cluster.of("t"), List.of(1));
        InSyncChange ahead = new InSyncChange(change.topicId(), 0, 0, 7, change.inSync());

        assertThat(cluster.change(1, ahead).error()).isEqualTo(ErrorCode.NOT_CONTROLLER);
    }

    @Test
    void a_change_from_a_broker_that_does_not_lead_is_refused() {
        Outcome<PartitionImage> refused = cluster.change(2, cluster.change("t", cluster.of("t"), List.of(2)));

        assertThat(refused.error()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(refused.message()).contains("broker 2 does not lead").contains("broker 1 does");
    }

    @Test
    void a_set_without_the_leader_or_with_a_stranger_is_refused() {
        assertThat(cluster.inSync("t", 2, 3).error()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(cluster.inSync("t", 1, 4).error()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(cluster.inSync("t", 1, 1).error()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(cluster.inSync("t").error()).isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void a_fenced_replica_cannot_get_in_sync() {
        cluster.kill(3);

        assertThat(cluster.inSync("t", 1, 2, 3).error()).isEqualTo(ErrorCode.INELIGIBLE_REPLICA);
    }

    @Test
    void a_draining_replica_cannot_get_in_sync() {
        cluster.wantsStop(3);

        Outcome<PartitionImage> refused = cluster.inSync("t", 1, 2, 3);

        assertThat(refused.error()).isEqualTo(ErrorCode.INELIGIBLE_REPLICA);
        assertThat(refused.message()).contains("broker 3 is DRAINING");
    }

    @Test
    void a_replica_that_caught_up_before_its_restart_cannot_get_in_sync() {
        cluster.inSync("t", 1, 2);
        InSyncChange stale = joining(3, cluster.broker(3).epoch());
        cluster.restart(3, false);
        cluster.beat(3);

        assertThat(cluster.change(1, stale).error()).isEqualTo(ErrorCode.INELIGIBLE_REPLICA);
        value(cluster.change(1, joining(3, cluster.broker(3).epoch())));
    }

    private InSyncChange joining(int node, long epoch) {
        List<InSyncMember> members =
                List.of(new InSyncMember(1, cluster.broker(1).epoch()), new InSyncMember(node, epoch));
        PartitionImage now = cluster.of("t");
        return new InSyncChange(cluster.image().topic("t").id(), 0, now.leaderEpoch(), now.partitionEpoch(), members);
    }

    @Test
    void each_change_of_a_request_has_an_answer_of_its_own() {
        cluster.topic("u", List.of(1, 2));
        List<InSyncChange> changes = List.of(
                cluster.change("t", cluster.of("t"), List.of(2)), cluster.change("u", cluster.of("u"), List.of(1)));

        List<Outcome<PartitionImage>> answers = value(
                cluster.ask(reply -> new AlterPartitions(1, cluster.broker(1).epoch(), changes, reply)));

        assertThat(answers).extracting(Outcome::error).containsExactly(ErrorCode.INVALID_REQUEST, ErrorCode.NONE);
        assertThat(cluster.of("u").inSync()).containsExactly(1);
    }
}
