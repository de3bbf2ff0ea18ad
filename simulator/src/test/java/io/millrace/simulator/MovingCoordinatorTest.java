package io.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.simulator.client.Client;
import io.millrace.simulator.client.Requests;
import io.millrace.simulator.cluster.Broker;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A coordinator's broker goes, and a client asks the next one at once. */
class MovingCoordinatorTest {
    private static final long WAY_MS = 20;
    private static final long SOON_MS = 500;
    private static final long SESSION_MS = 1_500;
    /** The pause that a client makes by default before it asks again. */
    private static final long PAUSE_MS = 100;

    private final ClusterFixture fixture = new ClusterFixture(Map.of(
            "default.replication.factor", "3",
            "min.insync.replicas", "2",
            "transaction.state.log.num.partitions", "1",
            "broker.heartbeat.interval.ms", "300",
            "broker.session.timeout.ms", String.valueOf(SESSION_MS)));
    private final Client client = fixture.client;

    @BeforeEach
    void a_transactional_id() {
        fixture.makeTransactionalId();
    }

    @Test
    void what_is_asked_while_it_loads_is_answered_when_it_has() {
        for (Broker one : fixture.cluster.brokers()) {
            fixture.cluster.brokers().stream()
                    .filter(other -> other.id() != one.id())
                    .forEach(other -> fixture.world
                            .network()
                            .delay(one.machine().name(), other.machine().name(), WAY_MS, WAY_MS));
        }
        int gone = coordinator();
        broker(gone).kill();

        assertThat(error(init(successor(gone)))).isEqualTo(Errors.NONE);
    }

    @Test
    void what_is_asked_is_refused_after_a_moment_when_it_cannot_load() {
        int gone = coordinator();
        broker(gone).kill();
        int next = successor(gone);
        fixture.cutOff(next);

        assertThat(error(init(next))).isEqualTo(Errors.COORDINATOR_LOAD_IN_PROGRESS);
        assertThat(error(init(next))).isEqualTo(Errors.COORDINATOR_LOAD_IN_PROGRESS);
        fixture.world.runFor(2 * SESSION_MS);
        assertThat(error(init(next))).as("another one is there by now").isEqualTo(Errors.NOT_COORDINATOR);
    }

    @Test
    void a_broker_that_stops_can_still_be_asked_where_its_successor_is_by_those_whom_it_sent_away() {
        int stopping = coordinator();
        broker(stopping).stop(() -> {});
        fixture.until(() -> error(init(stopping)) == Errors.NOT_COORDINATOR);
        fixture.world.runFor(PAUSE_MS);

        FindCoordinatorResponseData answer = ask(
                stopping,
                Requests.findCoordinator(Requests.Kind.TRANSACTION, "tx"),
                Requests.FIND_COORDINATOR,
                FindCoordinatorResponseData.class);

        assertThat(answer.coordinators().get(0).nodeId()).isEqualTo(successor(stopping));
        assertThat(error(init(successor(stopping)))).isEqualTo(Errors.NONE);
    }

    private Broker broker(int id) {
        return fixture.cluster.brokers().get(id - 1);
    }

    private static int coordinator(ClusterImage image) {
        return image.partition(TopicImage.TRANSACTIONS, 0).leader();
    }

    private int coordinator() {
        return coordinator(fixture.cluster.metadata().newest());
    }

    /** Another one, once its broker knows that it is. */
    private int successor(int gone) {
        fixture.until(() -> {
            int next = coordinator();
            return next > 0 && next != gone && coordinator(broker(next).node().image()) == next;
        });
        return coordinator();
    }

    private CompletableFuture<InitProducerIdResponseData> init(int broker) {
        return client.call(broker, Requests.init("tx", 60_000), Requests.INIT, InitProducerIdResponseData.class);
    }

    private Errors error(CompletableFuture<InitProducerIdResponseData> answer) {
        assertThat(fixture.world.runUntil(answer::isDone, SOON_MS)).isTrue();
        return Errors.forCode(answer.join().errorCode());
    }

    private <R extends ApiMessage> R ask(int broker, ApiMessage request, int version, Class<R> kind) {
        CompletableFuture<R> answer = client.call(broker, request, version, kind);
        assertThat(fixture.world.runUntil(answer::isDone, SOON_MS)).isTrue();
        return answer.join();
    }
}
