package io.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.simulator.cluster.Broker;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Connections that have lost a frame and do not know it for seconds, as when a router on the way forgets them. */
class SilentConnectionTest {
    private static final long SESSION_MS = 3_000;
    private static final int ROUNDS = 20;

    /** The interval of heartbeats is as it is unless told: longer than what this session allows. */
    private final ClusterFixture fixture =
            new ClusterFixture(Map.of("broker.session.timeout.ms", String.valueOf(SESSION_MS)));

    private void loseConnections(Broker broker, Broker controller) {
        String from = broker.machine().name();
        String to = controller.machine().name();
        fixture.world.network().loss(from, to, 1000);
        fixture.world.runFor(SESSION_MS / 4); // every connection has lost a frame by now, those opened meanwhile, too
        fixture.world.network().heal(from, to);
    }

    @Test
    void they_are_no_reason_to_fence_a_broker() {
        for (int i = 0; i < ROUNDS; i++) {
            Broker broker = fixture.otherThanController();

            loseConnections(broker, fixture.controller());

            assertThat(fixture.world.runUntil(() -> fixture.isFenced(broker.id()), 2 * SESSION_MS))
                    .isFalse();
        }
    }
}
