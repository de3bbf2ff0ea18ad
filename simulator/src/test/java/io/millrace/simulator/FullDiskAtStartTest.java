package io.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.simulator.cluster.Broker;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A broker whose process was killed starts again on a disk that is full, so that it cannot note its registration. */
class FullDiskAtStartTest {
    private static final long SEVERAL_TRIES_MS = 2_000;

    private final ClusterFixture fixture =
            new ClusterFixture(Map.of("default.replication.factor", "3", "min.insync.replicas", "3"));

    @Test
    void it_may_lead_what_it_might_have_led_before() {
        fixture.createTopic(3);
        fixture.append(1);
        Broker broker = broker(fixture.partition().leader() % 3 + 1);
        broker.kill();
        fixture.until(() -> fixture.partition().eligible().contains(broker.id()));

        broker.machine().disk().capacity(broker.machine().disk().usedBytes());
        long before = epoch(broker);
        broker.start();
        fixture.until(() -> epoch(broker) > before);
        fixture.world.runFor(SEVERAL_TRIES_MS);

        assertThat(fixture.isFenced(broker.id())).isTrue();
        assertThat(fixture.partition().eligible()).containsExactly(broker.id());
    }

    private long epoch(Broker broker) {
        return fixture.cluster.metadata().newest().broker(broker.id()).epoch();
    }

    private Broker broker(int id) {
        return fixture.cluster.brokers().get(id - 1);
    }
}
