package io.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.simulator.cluster.Broker;
import io.millrace.simulator.cluster.Cluster;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Connections that have lost a frame and do not know it for seconds, as when a router on the way forgets them. */
class SilentConnectionTest {
    private static final long SESSION_MS = 3_000;
    private static final int LOST_CONNECTIONS = 20;

    /** The interval of heartbeats is as it is unless told: longer than what this session allows. */
    private final ClusterFixture fixture =
            new ClusterFixture(Map.of("broker.session.timeout.ms", String.valueOf(SESSION_MS)));

    private final Cluster cluster = fixture.cluster;

    private Broker other(int controller) {
        return cluster.brokers().get(controller % cluster.brokers().size());
    }

    private void loseConnections(Broker broker, Broker controller) {
        String from = broker.machine().name();
        String to = controller.machine().name();
        fixture.world.network().loss(from, to, 1000);
        fixture.world.runFor(SESSION_MS / 4); // every connection has lost a frame by now, those opened meanwhile, too
        fixture.world.network().heal(from, to);
    }

    @Test
    void one_is_no_reason_to_fence_a_broker() {
        for (int i = 0; i < LOST_CONNECTIONS; i++) {
            Broker controller = cluster.brokers().get(cluster.agreement().leader() - 1);
            Broker broker = other(controller.id());

            loseConnections(broker, controller);

            assertThat(fixture.world.runUntil(() -> fixture.isFenced(broker.id()), 2 * SESSION_MS))
                    .isFalse();
        }
    }
}
