package io.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.BatchBuilder;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.simulator.client.Client;
import io.millrace.simulator.client.Requests;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.message.BrokerHeartbeatResponseData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A broker hears nothing from the others, but clients reach it. */
class CutOffLeaderTest {
    private static final long SESSION_MS = 1_500;
    private static final long HEARTBEAT_MS = 150;
    private static final long SOON_MS = HEARTBEAT_MS + 500;
    private static final short ALL = -1;
    private static final int HEARTBEAT = 1;

    private final ClusterFixture fixture = new ClusterFixture(Map.of(
            "default.replication.factor", "3",
            "min.insync.replicas", "2",
            "transaction.state.log.num.partitions", "1",
            "broker.heartbeat.interval.ms", String.valueOf(HEARTBEAT_MS),
            "broker.session.timeout.ms", String.valueOf(SESSION_MS)));
    private final Client client = fixture.client;

    @BeforeEach
    void createTopic() {
        fixture.createTopic(3);
        fixture.append(1);
    }

    private CompletableFuture<ProduceResponseData> produce(int broker) {
        return client.call(broker, request(ClusterFixture.PARTITION), Requests.PRODUCE, ProduceResponseData.class);
    }

    private static ProduceRequestData request(TopicPartition partition) {
        return Requests.produce(
                partition, null, new BatchBuilder().add(0, null, new byte[1]).build(), ALL);
    }

    private Errors error(CompletableFuture<ProduceResponseData> answer, long withinMs) {
        assertThat(fixture.world.runUntil(answer::isDone, withinMs)).isTrue();
        return Errors.forCode(answer.join()
                .responses()
                .iterator()
                .next()
                .partitionResponses()
                .get(0)
                .errorCode());
    }

    @Test
    void it_sends_producers_away_when_its_session_is_over() {
        int leader = fixture.partition().leader();
        fixture.cutOff(leader);

        assertHearsNothingButTheEndOfTheConnection(leader, SESSION_MS + SOON_MS);
        assertHearsNothingButTheEndOfTheConnection(leader, SOON_MS);
        fixture.append(1);
        assertThat(fixture.partition().leader()).isNotEqualTo(leader);
    }

    /** A client that came back before that would try to connect to a broker that cannot answer. */
    @Test
    void it_sends_producers_away_only_when_another_one_leads_although_its_last_heartbeat_arrived_unanswered() {
        int leader = fixture.partition().leader();
        fixture.world.runFor(HEARTBEAT_MS - 1);
        fixture.deafen(leader);

        assertHearsNothingButTheEndOfTheConnection(leader, SESSION_MS + SOON_MS);
        assertThat(fixture.partition().leader()).isNotEqualTo(leader);
    }

    /** After an answer Kafka's client would ask here who leads, and may not get away for minutes. */
    private void assertHearsNothingButTheEndOfTheConnection(int leader, long withinMs) {
        CompletableFuture<ProduceResponseData> waiting = produce(leader);
        assertThat(fixture.world.runUntil(waiting::isDone, withinMs)).isTrue();
        assertThat(waiting).isCompletedExceptionally();
        assertThat(client.isConnected(leader)).isFalse();
    }

    @Test
    void it_answers_a_producer_whom_it_can_also_tell_something_else_before_it_sends_it_away() {
        int leader = fixture.partition().leader();
        fixture.cutOff(leader);

        CompletableFuture<ProduceResponseData> answer = produceToAnUnknownTopicToo(leader);

        assertThat(fixture.world.runUntil(answer::isDone, SESSION_MS + SOON_MS)).isTrue();
        assertThat(answer.join().responses())
                .extracting(topic ->
                        Errors.forCode(topic.partitionResponses().get(0).errorCode()))
                .containsExactly(Errors.NOT_LEADER_OR_FOLLOWER, Errors.UNKNOWN_TOPIC_OR_PARTITION);
        fixture.until(() -> !client.isConnected(leader));
    }

    /** Or the client would take the answer to a later request for the one that it does not get. */
    @Test
    void it_answers_nothing_that_was_asked_after_what_it_does_not_answer() {
        int leader = fixture.partition().leader();
        fixture.cutOff(leader);

        CompletableFuture<ProduceResponseData> sentAway = produce(leader);
        CompletableFuture<ProduceResponseData> later = produceToAnUnknownTopicToo(leader);

        assertThat(fixture.world.runUntil(later::isDone, SESSION_MS + SOON_MS)).isTrue();
        assertThat(sentAway).isCompletedExceptionally();
        assertThat(later).isCompletedExceptionally();
        assertThat(client.isConnected(leader)).isFalse();
    }

    private CompletableFuture<ProduceResponseData> produceToAnUnknownTopicToo(int broker) {
        ProduceRequestData both = request(ClusterFixture.PARTITION);
        both.topicData()
                .add(new TopicProduceData()
                        .setName("unknown")
                        .setPartitionData(
                                both.topicData().iterator().next().duplicate().partitionData()));
        return client.call(broker, both, Requests.PRODUCE, ProduceResponseData.class);
    }

    @Test
    void it_takes_records_again_when_it_is_back() {
        int leader = fixture.partition().leader();
        fixture.cutOff(leader);
        fixture.world.runFor(2 * SESSION_MS);

        fixture.world.network().healAll();
        fixture.until(fixture.cluster::isWhole);

        assertThat(error(produce(fixture.partition().leader()), SOON_MS)).isEqualTo(Errors.NONE);
    }

    @Test
    void it_does_not_say_that_an_offset_does_not_exist_which_another_one_has_given_by_now() {
        int leader = fixture.partition().leader();
        long beyond = 5;
        assertThat(fetch(leader, beyond)).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
        fixture.cutOff(leader);
        for (int i = 0; i < beyond; i++) {
            fixture.append(1);
        }

        assertThat(fetch(leader, beyond)).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
    }

    /** As one who knows of no later epoch than this leader. */
    private Errors fetch(int broker, long offset) {
        CompletableFuture<FetchResponseData> answer = client.call(
                broker,
                Requests.fetch(ClusterFixture.PARTITION, 0, offset, IsolationLevel.READ_UNCOMMITTED, 0),
                Requests.FETCH,
                FetchResponseData.class);
        assertThat(fixture.world.runUntil(answer::isDone, SOON_MS)).isTrue();
        return Errors.forCode(
                answer.join().responses().get(0).partitions().get(0).errorCode());
    }

    @Test
    void it_coordinates_nothing_when_its_session_is_over() {
        fixture.makeTransactionalId();
        int coordinator = fixture.cluster
                .metadata()
                .newest()
                .partition(TopicImage.TRANSACTIONS, 0)
                .leader();
        fixture.cutOff(coordinator);

        CompletableFuture<InitProducerIdResponseData> waiting = init(coordinator);
        long longestMs = 2 * SESSION_MS; // it may be the controller, and has to learn first that it is not any more
        assertThat(fixture.world.runUntil(waiting::isDone, longestMs)).isTrue();
        CompletableFuture<InitProducerIdResponseData> late = init(coordinator);
        assertThat(fixture.world.runUntil(late::isDone, SOON_MS)).isTrue();

        assertThat(Errors.forCode(waiting.join().errorCode())).isEqualTo(Errors.NOT_COORDINATOR);
        assertThat(Errors.forCode(late.join().errorCode())).isEqualTo(Errors.NOT_COORDINATOR);
    }

    @Test
    void it_says_where_coordinators_are_as_far_as_it_knows_and_sends_clients_to_others() {
        fixture.makeTransactionalId();
        int broker = fixture.partition().leader();
        fixture.cutOff(broker);
        fixture.world.runFor(2 * SESSION_MS);

        CompletableFuture<FindCoordinatorResponseData> answer = client.call(
                broker,
                Requests.findCoordinator(Requests.Kind.TRANSACTION, "tx"),
                Requests.FIND_COORDINATOR,
                FindCoordinatorResponseData.class);
        assertThat(fixture.world.runUntil(answer::isDone, SOON_MS)).isTrue();

        assertThat(answer.join().coordinators().get(0).nodeId()).isPositive();
        fixture.until(() -> !client.isConnected(broker));
    }

    @Test
    void heartbeats_that_come_to_another_broker_than_the_controller_are_not_passed_on() {
        BrokerHeartbeatRequestData heartbeat = new BrokerHeartbeatRequestData()
                .setBrokerId(1)
                .setBrokerEpoch(fixture.cluster.metadata().newest().broker(1).epoch());
        int controller = fixture.cluster.agreement().leader();

        assertThat(answer(controller, heartbeat)).isEqualTo(Errors.NONE);
        assertThat(answer(controller % 3 + 1, heartbeat)).isEqualTo(Errors.NOT_CONTROLLER);
    }

    /** Or who is cut off together with it would feel safe while others lead. */
    @Test
    void a_controller_that_may_have_been_replaced_answers_no_heartbeat() {
        int controller = fixture.controller().id();
        BrokerHeartbeatRequestData heartbeat = new BrokerHeartbeatRequestData()
                .setBrokerId(controller)
                .setBrokerEpoch(
                        fixture.cluster.metadata().newest().broker(controller).epoch());

        fixture.cutOff(controller);
        fixture.until(() -> fixture.cluster.agreement().leader() != controller);

        assertThat(answer(controller, heartbeat)).isEqualTo(Errors.NOT_CONTROLLER);
    }

    private Errors answer(int broker, BrokerHeartbeatRequestData heartbeat) {
        CompletableFuture<BrokerHeartbeatResponseData> answer =
                client.call(broker, heartbeat, HEARTBEAT, BrokerHeartbeatResponseData.class);
        assertThat(fixture.world.runUntil(answer::isDone, SOON_MS)).isTrue();
        return Errors.forCode(answer.join().errorCode());
    }

    private CompletableFuture<InitProducerIdResponseData> init(int broker) {
        return client.call(broker, Requests.init("tx", 60_000), Requests.INIT, InitProducerIdResponseData.class);
    }
}
