package io.millrace.broker.metadata;

import static io.millrace.broker.metadata.ControllerSteps.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.metadata.ControllerCommand.CreatePartitions;
import io.millrace.broker.metadata.ControllerCommand.CreateTopic;
import io.millrace.broker.metadata.ControllerCommand.DeleteTopic;
import io.millrace.broker.wire.ErrorCode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicPlanTest {
    private final ControllerSteps cluster = ControllerSteps.withBrokers(3);

    @Test
    void a_replication_factor_above_the_number_of_active_brokers_is_refused() {
        cluster.kill(3);

        Outcome<TopicImage> refused = cluster.create("t", 1, 3);

        assertThat(refused.error()).isEqualTo(ErrorCode.INVALID_REPLICATION_FACTOR);
        assertThat(refused.message())
                .isEqualTo("replication factor 3; allowed are 1 to the number of active brokers, which is 2 of 3");
        assertThat(value(cluster.create("t", 4, 2)).partitions()).noneMatch(partition -> partition.isReplica(3));
    }

    @Test
    void more_partitions_need_as_many_active_brokers_as_the_old_ones_have_replicas() {
        cluster.create("t", 1, 3);
        cluster.kill(3);

        assertThat(grow("t", 2, List.of()).error()).isEqualTo(ErrorCode.INVALID_REPLICATION_FACTOR);
    }

    @Test
    void replicas_chosen_by_hand_that_are_fenced_are_not_in_sync_at_first() {
        cluster.kill(1);

        PartitionImage partition = cluster.topic("t", List.of(1, 2, 3)).partition(0);

        assertThat(partition.replicas()).containsExactly(1, 2, 3);
        assertThat(partition.inSync()).containsExactly(2, 3);
        assertThat(partition.leader()).isEqualTo(2);
    }

    @Test
    void at_least_one_replica_chosen_by_hand_is_active() {
        cluster.kill(1);

        Outcome<TopicImage> refused = create("t", Map.of(0, List.of(1)));

        assertThat(refused.error()).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(refused.message()).contains("[1]").contains("none of these brokers is active");
    }

    @Test
    void partitions_of_a_topic_have_the_same_number_of_replicas() {
        assertThat(create("t", Map.of(0, List.of(1, 2), 1, List.of(1))).error())
                .isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);

        cluster.topic("u", List.of(1, 2));
        assertThat(grow("u", 2, List.of(List.of(1, 2, 3))).error()).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(value(grow("u", 2, List.of(List.of(3, 1)))).partition(1).replicas())
                .containsExactly(3, 1);
    }

    @Test
    void a_topic_that_is_only_checked_does_not_exist_afterwards() {
        Outcome<TopicImage> checked = cluster.ask(reply -> new CreateTopic("t", 2, 2, Map.of(), Map.of(), true, reply));

        assertThat(value(checked).partitions()).hasSize(2);
        assertThat(cluster.image().topics()).isEmpty();
    }

    @Test
    void a_deleted_topic_is_gone_under_its_id_and_its_name() {
        TopicImage topic = cluster.topic("t", List.of(1));

        assertThat(value(delete(topic))).isEqualTo(topic);

        assertThat(cluster.image().topic("t")).isNull();
        assertThat(delete(topic).error()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID);
    }

    private Outcome<TopicImage> delete(TopicImage topic) {
        return cluster.ask(reply -> new DeleteTopic(topic.id(), reply));
    }

    private Outcome<TopicImage> create(String name, Map<Integer, List<Integer>> assignment) {
        return cluster.ask(reply -> new CreateTopic(name, -1, -1, assignment, Map.of(), false, reply));
    }

    private Outcome<TopicImage> grow(String name, int total, List<List<Integer>> assignment) {
        return cluster.ask(reply -> new CreatePartitions(name, total, assignment, false, reply));
    }
}
