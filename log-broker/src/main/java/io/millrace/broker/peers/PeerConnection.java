package io.millrace.broker.peers;

import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.wire.ClientProtocol;
import io.millrace.broker.wire.Response;
import io.millrace.kernel.Connection;
import io.millrace.kernel.Network;
import io.millrace.kernel.Timers;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.BiConsumer;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * A connection to another broker, opened at once and gone for good when it fails. Everything runs in the turn of its
 * owner, the answers included.
 *
 * <pre>
 * opening --established--> open
 * opening, open --closed by either side, or an answer that does not come--> closed   whoever waits is told
 * </pre>
 */
final class PeerConnection {
    private static final int MAX_RESPONSE_BYTES = Integer.MAX_VALUE;

    private final Turn turn;
    private final String name;
    private final ClientProtocol protocol;
    private final Runnable onLost;
    private final Queue<Call> unsent = new ArrayDeque<>();
    private final Map<Integer, Call> unanswered = new HashMap<>();
    private Connection connection;
    private int nextCorrelationId;
    private boolean established;
    private boolean closed;

    private PeerConnection(Turn turn, BrokerImage peer, ClientProtocol protocol, Runnable onLost) {
        this.turn = turn;
        this.onLost = onLost;
        this.name = "node " + peer.id() + " at " + peer.host() + ":" + peer.port();
        this.protocol = protocol;
    }

    static PeerConnection open(Network network, Turn turn, BrokerImage peer, ClientProtocol protocol) {
        return open(network, turn, peer, protocol, () -> {});
    }

    /** @param onLost hears when the connection ends, or does not come about, and not by this side's will */
    static PeerConnection open(Network network, Turn turn, BrokerImage peer, ClientProtocol protocol, Runnable onLost) {
        PeerConnection opened = new PeerConnection(turn, peer, protocol, onLost);
        network.connect(peer.host(), peer.port(), MAX_RESPONSE_BYTES, opened::handler);
        return opened;
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * Sends a request in the newest version.
     *
     * @param timeoutMs after this the peer counts as unavailable, and the connection is closed
     * @param then gets the response, which it must release, or the reason why there is none
     */
    void call(ApiMessage request, long timeoutMs, BiConsumer<Response, PeerUnavailable> then) {
        call(request, ClientProtocol.latestVersion(request), timeoutMs, then);
    }

    void call(ApiMessage request, short version, long timeoutMs, BiConsumer<Response, PeerUnavailable> then) {
        if (closed) {
            then.accept(null, new PeerUnavailable("the connection to " + name + " is closed"));
            return;
        }
        Call call = new Call(request, version, then);
        call.timer = turn.after(timeoutMs, () -> timedOut(call, timeoutMs));
        if (established) {
            send(call);
        } else {
            unsent.add(call);
        }
    }

    private void send(Call call) {
        int correlationId = nextCorrelationId++;
        unanswered.put(correlationId, call);
        connection.send(protocol.encode(call.version, correlationId, call.request));
    }

    private void timedOut(Call call, long timeoutMs) {
        if (!call.done) {
            close("no answer of " + name + " within " + timeoutMs + " ms");
        }
    }

    /** Ends the connection; whoever waits for an answer is told. */
    void close(String why) {
        if (closed) {
            return;
        }
        closed = true;
        if (connection != null) {
            connection.close();
        }
        List<Call> lost = new ArrayList<>(unanswered.values());
        lost.addAll(unsent);
        unanswered.clear();
        unsent.clear();
        lost.forEach(call -> call.finish(null, new PeerUnavailable(why)));
    }

    private void lost() {
        if (!closed) {
            close("the connection to " + name + " is lost");
            onLost.run();
        }
    }

    private void opened(Connection opened) {
        connection = opened;
        established = true;
        if (closed) {
            opened.close();
        }
        while (!unsent.isEmpty()) {
            send(unsent.remove());
        }
    }

    private void received(ByteBuf frame) {
        Call call = unanswered.remove(ClientProtocol.correlationId(frame));
        if (call == null) {
            frame.release();
            return;
        }
        Response response;
        try {
            response = ClientProtocol.decode(call.request.apiKey(), call.version, frame);
        } catch (RuntimeException e) { // the generated readers throw many kinds for bytes that make no sense
            frame.release();
            call.finish(null, new PeerUnavailable("an answer of " + name + " cannot be read: " + e.getMessage()));
            return;
        }
        call.finish(response, null);
    }

    /** On the connection's I/O thread. */
    private Connection.Handler handler(Connection made) {
        return new Connection.Handler() {
            @Override
            public void established() {
                turn.run(() -> opened(made));
            }

            @Override
            public void frame(ByteBuf frame) {
                turn.run(() -> received(frame));
            }

            @Override
            public void refused(String why) {
                turn.run(() -> close(name + " sent " + why));
            }

            @Override
            public void closed() {
                turn.run(PeerConnection.this::lost);
            }
        };
    }

    private static final class Call {
        private final ApiMessage request;
        private final short version;
        private final BiConsumer<Response, PeerUnavailable> then;
        private Timers.Timer timer;
        private boolean done;

        Call(ApiMessage request, short version, BiConsumer<Response, PeerUnavailable> then) {
            this.request = request;
            this.version = version;
            this.then = then;
        }

        void finish(Response response, PeerUnavailable failure) {
            done = true;
            timer.cancel();
            then.accept(response, failure);
        }
    }
}
