package io.millrace.broker.metadata;

import static io.millrace.broker.metadata.ControllerSteps.BALANCE_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.metadata.ControllerCommand.TakeProducerIds;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackgroundTest {

    @Test
    void preferred_leaders_are_restored_after_a_while() {
        ControllerSteps cluster = ControllerSteps.withBrokers(2);
        cluster.topic("t", List.of(1, 2));
        cluster.kill(1);
        cluster.beat(1);
        cluster.inSync("t", 1, 2);

        cluster.pass(BALANCE_MS - 1, 1, 2);
        assertThat(cluster.of("t").leader()).isEqualTo(2);

        cluster.pass(1, 1, 2);
        assertThat(cluster.of("t").leader()).isEqualTo(1);
    }

    @Test
    void a_preferred_leader_that_is_not_in_sync_has_to_wait_for_the_next_time() {
        ControllerSteps cluster = ControllerSteps.withBrokers(2);
        cluster.topic("t", List.of(1, 2));
        cluster.kill(1);
        cluster.beat(1);
        cluster.pass(BALANCE_MS, 1, 2);
        assertThat(cluster.of("t").leader()).isEqualTo(2);

        cluster.inSync("t", 1, 2);
        cluster.pass(BALANCE_MS, 1, 2);

        assertThat(cluster.of("t").leader()).isEqualTo(1);
    }

    @Test
    void an_internal_topic_has_three_replicas_where_there_are_three_brokers() {
        ControllerSteps cluster = ControllerSteps.withBrokers(4);

        cluster.create(TopicImage.OFFSETS, 4, -1);

        assertThat(cluster.image().topic(TopicImage.OFFSETS).partitions())
                .allMatch(partition -> partition.replicas().size() == 3);
    }

    @Test
    void an_internal_topic_grows_to_three_replicas_with_the_cluster() {
        ControllerSteps cluster = ControllerSteps.withBrokers(1);
        cluster.create(TopicImage.TRANSACTIONS, 1, -1);
        assertThat(cluster.of(TopicImage.TRANSACTIONS).replicas()).containsExactly(1);

        cluster.start(2, "");
        assertThat(cluster.of(TopicImage.TRANSACTIONS).target()).containsExactly(1, 2);

        cluster.start(3, "");
        cluster.start(4, "");
        assertThat(cluster.of(TopicImage.TRANSACTIONS).target()).containsExactly(1, 2, 3);

        cluster.inSync(TopicImage.TRANSACTIONS, 1, 2, 3);
        assertThat(cluster.of(TopicImage.TRANSACTIONS).isReassigning()).isFalse();
    }

    @Test
    void topics_of_users_keep_the_replicas_that_they_have() {
        ControllerSteps cluster = ControllerSteps.withBrokers(1);
        cluster.create("t", 1, 1);

        cluster.start(2, "");

        assertThat(cluster.of("t").replicas()).containsExactly(1);
    }

    @Test
    void a_controller_without_anything_to_do_waits() {
        ControllerSteps cluster = new ControllerSteps();
        cluster.tick();

        assertThat(cluster.deadlineInMs()).isEqualTo(BALANCE_MS);
        assertThat(cluster.journal).isEmpty();
    }

    @Test
    void blocks_of_producer_ids_do_not_overlap() {
        ControllerSteps cluster = new ControllerSteps();

        long first = cluster.<Long>ask(reply -> new TakeProducerIds(1000, reply));
        long second = cluster.<Long>ask(reply -> new TakeProducerIds(1000, reply));

        assertThat(second).isEqualTo(first + 1000);
    }
}
