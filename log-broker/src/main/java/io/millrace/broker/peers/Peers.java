package io.millrace.broker.peers;

import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.wire.ClientProtocol;
import io.millrace.broker.wire.Response;
import io.millrace.kernel.Host;
import io.millrace.kernel.Loop;
import io.millrace.kernel.Timers;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * Asks other brokers. Each kind of question has a connection of its own to each of them, opened when it is first needed and
 * again after it failed: answers come in the order of the questions, and one that takes long must not hold up another kind.
 * A heartbeat would come too late behind a marker that waits for a replica, and two coordinators would wait for each other
 * where the answer to a marker is behind a registration that waits for that very marker.
 */
public final class Peers implements AutoCloseable {
    private static final int QUEUE = 1024;
    private static final long MOST_PATIENCE_MS = 10_000;

    private final Host world;
    private final Supplier<ClusterImage> image;
    private final Map<Integer, BrokerImage> voters;
    private final ClientProtocol protocol;
    private final Loop<Runnable> loop;
    private final Turn turn;
    private volatile Consumer<BrokerImage> onLost = peer -> {};
    private final Map<Line, Open> connections = new HashMap<>();

    /** @param voters where the voters of the metadata quorum are found before they have registered */
    public Peers(Host world, int self, Supplier<ClusterImage> image, Map<Integer, BrokerImage> voters) {
        this.world = world;
        this.image = image;
        this.voters = Map.copyOf(voters);
        this.protocol = new ClientProtocol("broker-" + self);
        this.loop = world.loops().start("millrace-peers", QUEUE, Runnable::run);
        this.turn = new Turn() {
            @Override
            public void run(Runnable task) {
                loop.submit(task);
            }

            @Override
            public Timers.Timer after(long delayMs, Runnable task) {
                return world.timers().after(delayMs, loop, task);
            }
        };
    }

    /** Who hears that a connection to a broker has ended, or does not come about; to be told before the first question. */
    public void onLost(Consumer<BrokerImage> listener) {
        onLost = listener;
    }

    /** Runs a task on the peers' loop after a while. */
    public Timers.Timer after(long delayMs, Runnable task) {
        return turn.after(delayMs, task);
    }

    /** Asks a broker in the newest version of the API; any thread. The answer fails with {@link PeerUnavailable}. */
    public <R extends ApiMessage> CompletableFuture<R> call(int node, ApiMessage request, Class<R> answer) {
        return call(node, request, ClientProtocol.latestVersion(request), answer, MOST_PATIENCE_MS);
    }

    /**
     * The same in a version that the caller chose. Byte fields of the answer cannot be used.
     *
     * @param patienceMs after this the connection is given up, as after {@value #MOST_PATIENCE_MS} ms in any case
     */
    public <R extends ApiMessage> CompletableFuture<R> call(
            int node, ApiMessage request, short version, Class<R> answer, long patienceMs) {
        CompletableFuture<R> reply = new CompletableFuture<>();
        loop.submit(() -> {
            BrokerImage registered = image.get().broker(node);
            BrokerImage peer = registered == null ? voters.get(node) : registered;
            if (peer == null) {
                reply.completeExceptionally(new PeerUnavailable("there is no broker " + node));
                return;
            }
            long timeoutMs = Math.min(patienceMs, MOST_PATIENCE_MS);
            connection(peer, request.apiKey()).call(request, version, timeoutMs, (response, failure) -> {
                if (failure == null) {
                    finish(response, answer, reply);
                } else {
                    reply.completeExceptionally(failure);
                }
            });
        });
        return reply;
    }

    /**
     * Gives up on brokers that the controller has fenced since the last image: they are silent, and whoever waits for
     * their answer had better ask whoever stands in for them.
     */
    public void follow(ClusterImage now) {
        loop.submit(() -> {
            connections.forEach((line, open) -> {
                boolean unfenced = now.isUnfenced(line.node);
                if (open.unfenced && !unfenced) {
                    open.connection.close("node " + line.node + " is fenced");
                }
                open.unfenced = unfenced;
            });
        });
    }

    private static <R extends ApiMessage> void finish(Response response, Class<R> type, CompletableFuture<R> reply) {
        R body = type.cast(response.body());
        response.release();
        reply.complete(body);
    }

    private PeerConnection connection(BrokerImage peer, short apiKey) {
        Line line = new Line(peer.id(), apiKey);
        Open known = connections.get(line);
        if (known == null || known.connection.isClosed() || known.epoch != peer.epoch()) {
            if (known != null) {
                known.connection.close("node " + peer.id() + " has started again");
            }
            known = new Open(
                    peer.epoch(),
                    PeerConnection.open(world.network(), turn, peer, protocol, () -> onLost.accept(peer)),
                    image.get().isUnfenced(peer.id()));
            connections.put(line, known);
        }
        return known.connection;
    }

    @Override
    public void close() {
        loop.submit(() -> connections.values().forEach(open -> open.connection.close("this broker stops")));
        loop.close();
    }

    private record Line(int node, short apiKey) {}

    private static final class Open {
        private final long epoch;
        private final PeerConnection connection;
        private boolean unfenced;

        /**
         * @param epoch the peer's registration when it was opened
         * @param unfenced whether it was not fenced in the last image
         */
        Open(long epoch, PeerConnection connection, boolean unfenced) {
            this.epoch = epoch;
            this.connection = connection;
            this.unfenced = unfenced;
        }
    }
}
