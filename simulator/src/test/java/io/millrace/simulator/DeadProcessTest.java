package io.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.kernel.Connection;
import io.millrace.kernel.Network;
import io.millrace.kernel.sim.SimWorld;
import io.millrace.simulator.cluster.Broker;
import io.millrace.simulator.cluster.Cluster;
import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A broker's process is dead, and how soon the others act on it: times are virtual. */
class DeadProcessTest {
    private static final long SESSION_MS = 9_000;
    private static final long AT_ONCE_MS = 350;

    private final ClusterFixture fixture =
            new ClusterFixture(Map.of("broker.session.timeout.ms", String.valueOf(SESSION_MS)));
    private final SimWorld world = fixture.world;
    private final Cluster cluster = fixture.cluster;

    @BeforeEach
    void untilEveryBrokerHasSentHeartbeats() {
        world.runFor(SESSION_MS);
    }

    private boolean isFenced(Broker broker) {
        return fixture.isFenced(broker.id());
    }

    /** As the system of a process does that takes connections for it, although the process does not. */
    private static void listen(Broker broker, Consumer<Connection> taken) {
        Network network = broker.machine().boot().network();
        network.listen(broker.machine().name(), Broker.PORT, Integer.MAX_VALUE, connection -> {
                    taken.accept(connection);
                    return new Silent();
                })
                .accept();
    }

    @Test
    void the_controller_fences_it_at_once() {
        Broker victim = fixture.otherThanController();

        victim.kill();

        assertThat(world.runUntil(() -> isFenced(victim), AT_ONCE_MS)).isTrue();
    }

    @Test
    void when_it_was_the_controller_another_one_is_elected_and_fences_it_at_once() {
        Broker victim = fixture.controller();

        victim.kill();

        assertThat(world.runUntil(() -> isFenced(victim), AT_ONCE_MS)).isTrue();
        assertThat(cluster.agreement().leader()).isNotEqualTo(victim.id());
    }

    @Test
    void connections_that_end_without_an_answer_are_no_sign_of_life() {
        Broker victim = fixture.otherThanController();

        victim.kill();
        listen(victim, Connection::close);

        assertThat(world.runUntil(() -> isFenced(victim), AT_ONCE_MS)).isTrue();
    }

    @Test
    void one_that_takes_connections_and_says_nothing_has_its_whole_session() {
        Broker victim = fixture.otherThanController();

        victim.kill();
        listen(victim, connection -> {});

        assertThat(world.runUntil(() -> isFenced(victim), SESSION_MS / 2)).isFalse();
        fixture.until(() -> isFenced(victim));
    }

    private static final class Silent implements Connection.Handler {
        @Override
        public void frame(ByteBuf frame) {
            frame.release();
        }

        @Override
        public void refused(String why) {}

        @Override
        public void closed() {}
    }
}
