package io.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.settings.BrokerSettings;
import io.millrace.broker.settings.TopicSettings;
import io.millrace.kernel.sim.SimWorld;
import io.millrace.simulator.client.AdminRequests;
import io.millrace.simulator.client.Client;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A partition of 3 MB gets a second replica, in virtual time. */
class ThrottledCopyTest {
    private static final TopicPartition PARTITION = ClusterFixture.PARTITION;
    private static final int BATCHES = 30;
    private static final int BATCH_BYTES = 100_000;
    private static final long BYTES_PER_SECOND = 100_000;

    /** At the rate; a copy that is not throttled takes some milliseconds. */
    private static final long COPY_MS = 1_000L * BATCHES * BATCH_BYTES / BYTES_PER_SECOND;

    /** Events of a second in which everybody waits: heartbeats, and looks whether there is room. */
    private static final long WAITING_STEPS = 500;

    private final ClusterFixture fixture =
            new ClusterFixture(Map.of("default.replication.factor", "1", "min.insync.replicas", "1"));
    private final SimWorld world = fixture.world;
    private final Client client = fixture.client;

    private int leader;
    private int follower;

    @BeforeEach
    void fill() {
        fixture.createTopic(1);
        appendAll();
        leader = fixture.partition().leader();
        follower = 1 + leader % 3;
    }

    private void appendAll() {
        for (int i = 0; i < BATCHES; i++) {
            fixture.append(BATCH_BYTES);
        }
    }

    private void throttle(String replicasSetting, String rateSetting, int broker) {
        fixture.change(AdminRequests.change(List.of(
                AdminRequests.set(ConfigResource.Type.TOPIC, PARTITION.topic(), "0:" + broker, replicasSetting),
                AdminRequests.set(
                        ConfigResource.Type.BROKER,
                        String.valueOf(broker),
                        String.valueOf(BYTES_PER_SECOND),
                        rateSetting))));
    }

    private void beginCopy() {
        fixture.done(() -> client.call(
                        client.anyBroker(),
                        AdminRequests.reassign(PARTITION, List.of(leader, follower)),
                        AdminRequests.REASSIGN,
                        AlterPartitionReassignmentsResponseData.class)
                .thenAccept(answer -> client.check("reassignment", answer.errorCode())));
    }

    private boolean isCopied() {
        return fixture.partition().inSync().contains(follower);
    }

    private long copyMs() {
        long beganMs = world.nowMs();
        beginCopy();
        fixture.until(this::isCopied);
        return world.nowMs() - beganMs;
    }

    @Test
    void without_a_throttle_it_takes_no_time_to_speak_of() {
        assertThat(copyMs()).isLessThan(COPY_MS / 10);
    }

    @Test
    void a_follower_takes_in_no_more_than_its_rate() {
        throttle(TopicSettings.FOLLOWER_THROTTLED_REPLICAS, BrokerSettings.FOLLOWER_THROTTLED_RATE, follower);

        assertThat(copyMs()).isBetween(COPY_MS, COPY_MS * 11 / 10);
    }

    @Test
    void a_leader_sends_no_more_than_its_rate_to_a_follower_that_is_not_throttled_itself() {
        throttle(TopicSettings.LEADER_THROTTLED_REPLICAS, BrokerSettings.LEADER_THROTTLED_RATE, leader);

        // the first answer is at once, and behind the last one there is nothing to wait for
        assertThat(copyMs()).isBetween(COPY_MS / 2, COPY_MS);
    }

    @Test
    void neither_side_spins_while_it_waits() {
        throttle(TopicSettings.FOLLOWER_THROTTLED_REPLICAS, BrokerSettings.FOLLOWER_THROTTLED_RATE, follower);
        assertThat(stepsOfOneSecond()).isLessThan(WAITING_STEPS);

        // in this order: between them the copy must not come to its end
        throttle(TopicSettings.LEADER_THROTTLED_REPLICAS, BrokerSettings.LEADER_THROTTLED_RATE, leader);
        throttle(TopicSettings.FOLLOWER_THROTTLED_REPLICAS, BrokerSettings.FOLLOWER_THROTTLED_RATE, leader);
        assertThat(stepsOfOneSecond()).isLessThan(WAITING_STEPS);
    }

    private long stepsOfOneSecond() {
        beginCopy();
        world.runFor(500);
        long before = world.steps();
        world.runFor(1_000);
        assertThat(isCopied()).isFalse();
        return world.steps() - before;
    }

    @Test
    void a_throttle_for_other_replicas_holds_up_nothing() {
        throttle(TopicSettings.FOLLOWER_THROTTLED_REPLICAS, BrokerSettings.FOLLOWER_THROTTLED_RATE, leader);
        throttle(TopicSettings.LEADER_THROTTLED_REPLICAS, BrokerSettings.LEADER_THROTTLED_RATE, follower);

        assertThat(copyMs()).isLessThan(COPY_MS / 10);
    }

    @Test
    void the_end_of_a_throttle_ends_the_waiting() {
        fixture.change(AdminRequests.throttle(List.of(PARTITION.topic()), 1L));
        beginCopy();
        world.runFor(COPY_MS);
        assertThat(isCopied()).isFalse();

        fixture.change(AdminRequests.throttle(List.of(PARTITION.topic()), null));
        long endedMs = world.nowMs();
        fixture.until(this::isCopied);

        assertThat(world.nowMs() - endedMs).isLessThan(COPY_MS / 10);
    }

    /** Every acknowledgement waits for it, and its fetches are as large as what producers write. */
    @Test
    void a_replica_that_is_in_sync_is_never_throttled() {
        copyMs();
        fixture.change(AdminRequests.throttle(List.of(PARTITION.topic()), 1L));

        long beganMs = world.nowMs();
        appendAll();

        assertThat(world.nowMs() - beganMs).isLessThan(COPY_MS / 10);
        assertThat(isCopied()).isTrue();
    }
}
