package io.millrace.kernel.sim;

import io.millrace.kernel.Connection;
import io.millrace.kernel.Network;
import io.millrace.kernel.NetworkException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Connections between parts of one process; a frame arrives after the delay that is set. */
public final class SimNetwork implements Network {
    private static final int FIRST_FREE_PORT = 40_000;

    private final SimWorld world;
    private final Map<Integer, Server> servers = new HashMap<>();
    private final List<SimConnection> open = new ArrayList<>();
    private int nextPort = FIRST_FREE_PORT;
    private long delayMs = 1;

    SimNetwork(SimWorld world) {
        this.world = world;
    }

    /** How long each frame is under way, in milliseconds of virtual time. */
    public void delay(long ms) {
        delayMs = ms;
    }

    @Override
    public Listener listen(String host, int port, int maxFrameBytes, Function<Connection, Connection.Handler> accept) {
        int actual = port == 0 ? nextPort++ : port;
        if (servers.putIfAbsent(actual, new Server(maxFrameBytes, accept)) != null) {
            throw new NetworkException("cannot listen on " + host + ":" + port + ": the port is taken", null);
        }
        return new Listener() {
            @Override
            public int port() {
                return actual;
            }

            @Override
            public void accept() {
                servers.get(actual).accepting = true;
            }

            @Override
            public void close() {
                servers.remove(actual);
            }
        };
    }

    @Override
    public void connect(String host, int port, int maxFrameBytes, Function<Connection, Connection.Handler> opened) {
        SimConnection near = new SimConnection(world, host + ":" + port, maxFrameBytes);
        near.handledBy(opened.apply(near));
        Server server = servers.get(port);
        if (server == null || !server.accepting) {
            near.close();
            return;
        }
        SimConnection far = new SimConnection(world, "client:" + nextPort++, server.maxFrameBytes);
        near.tie(far, delayMs);
        far.tie(near, delayMs);
        far.handledBy(server.accept.apply(far));
        open.add(near);
        world.at(delayMs, near::established);
    }

    @Override
    public void close() {
        servers.clear();
        open.forEach(SimConnection::close);
        open.clear();
    }

    private static final class Server {
        private final int maxFrameBytes;
        private final Function<Connection, Connection.Handler> accept;
        private boolean accepting;

        Server(int maxFrameBytes, Function<Connection, Connection.Handler> accept) {
            this.maxFrameBytes = maxFrameBytes;
            this.accept = accept;
        }
    }
}
