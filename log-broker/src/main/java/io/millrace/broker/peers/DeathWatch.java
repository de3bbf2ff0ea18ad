package io.millrace.broker.peers;

import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.metadata.Controller;
import io.millrace.broker.metadata.ControllerCommand;
import io.millrace.broker.metadata.Outcome;
import io.millrace.broker.wire.ClientProtocol;
import io.millrace.kernel.Connection;
import io.millrace.kernel.Host;
import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out at once that a broker's process is dead, rather than when its session ends: the system resets the
 * connections of a dead process, and refuses new ones. A lost connection alone means nothing, and neither does silence;
 * so a process that was stopped for a while, or cut off, is not taken for dead.
 *
 * <p>The controller acts upon it and fences the broker. If it was the controller that died, the voters do, and elect
 * another one.
 */
public final class DeathWatch {
    private static final Logger LOG = LoggerFactory.getLogger(DeathWatch.class);
    private static final int REFUSALS = 2;
    private static final long BETWEEN_MS = 20;
    private static final long HANGS_MS = 1_000;
    private static final int ANSWER_BYTES = 1 << 20;
    private static final short FIRST_VERSION = 0;

    private final Host world;
    private final Controller controller;
    private final Peers peers;
    private final int self;
    private final ClientProtocol protocol;
    private final Map<Long, Long> lookedAt = new ConcurrentHashMap<>(); // since when, by the epoch of a registration

    public DeathWatch(Host world, Controller controller, Peers peers, int self) {
        this.world = world;
        this.controller = controller;
        this.peers = peers;
        this.self = self;
        this.protocol = new ClientProtocol("death-watch-" + self);
    }

    /** A connection of a broker has ended; any thread. */
    public void lost(int broker, long epoch) {
        BrokerImage known = controller.image().broker(broker);
        boolean matters = controller.leader() == self || controller.leader() == broker;
        if (matters && known != null && known.epoch() == epoch && !known.fenced()) {
            look(known);
        }
    }

    /** Looks whether any broker is dead: a new controller has no connections to them yet. */
    public void lookAtAll() {
        controller.image().brokers().values().stream()
                .filter(broker -> broker.id() != self && !broker.fenced())
                .forEach(this::look);
    }

    /** Once at a time, unless a look takes long: one that was begun while the network was cut may hang in it. */
    private void look(BrokerImage broker) {
        long nowMs = world.clock().monotonicMs();
        Long sinceMs = lookedAt.putIfAbsent(broker.epoch(), nowMs);
        if (sinceMs == null || nowMs - sinceMs > HANGS_MS) {
            lookedAt.put(broker.epoch(), nowMs);
            knock(broker, REFUSALS);
        }
    }

    /**
     * Only an answer is a sign of life: the system takes connections for a process that sleeps, and for one whose end has
     * begun, too. The connection to one that sleeps stays until it answers, or dies.
     */
    private void knock(BrokerImage broker, int left) {
        world.network().connect(broker.host(), broker.port(), ANSWER_BYTES, connection -> new Connection.Handler() {
            private boolean alive;

            @Override
            public void established() {
                connection.send(protocol.encode(FIRST_VERSION, 0, new ApiVersionsRequestData()));
            }

            @Override
            public void frame(ByteBuf frame) {
                frame.release();
                alive = true;
                connection.close();
            }

            @Override
            public void refused(String why) {
                alive = true;
            }

            @Override
            public void closed() {
                if (alive) {
                    lookedAt.remove(broker.epoch());
                } else {
                    refusedBy(broker, left - 1);
                }
            }
        });
    }

    private void refusedBy(BrokerImage broker, int left) {
        if (left > 0) {
            peers.after(BETWEEN_MS, () -> knock(broker, left));
            return;
        }
        if (controller.leader() == broker.id()) {
            lookedAt.remove(broker.epoch());
            controller.died(broker.id());
            return;
        }
        LOG.warn(
                "node {} at {}:{} is dead: its connections ended, and new ones are refused or end without an answer",
                broker.id(),
                broker.host(),
                broker.port());
        controller
                .<Outcome<BrokerImage>>ask(reply -> new ControllerCommand.Suspect(broker.id(), broker.epoch(), reply))
                .whenComplete((outcome, failure) -> {
                    lookedAt.remove(broker.epoch());
                    LOG.debug("node {} suspected: {}", broker.id(), outcome, failure);
                });
    }
}
