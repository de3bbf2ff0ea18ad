package io.millrace.kernel.sim;

import io.millrace.kernel.Connection;
import io.millrace.kernel.Network;
import io.millrace.kernel.NetworkException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** The network as one process sees it: what it listens on, and its ends of connections. */
final class SimSockets implements Network {
    private static final long CONNECT_PATIENCE_MS = 5_000;
    private static final long SYN_AGAIN_MS = 500;

    private final SimWorld world;
    private final SimProcess process;
    private final TreeMap<Integer, Server> servers = new TreeMap<>();
    private final Set<SimConnection> open = new LinkedHashSet<>();

    SimSockets(SimWorld world, SimProcess process) {
        this.world = world;
        this.process = process;
    }

    @Override
    public Listener listen(String host, int port, int maxFrameBytes, Function<Connection, Connection.Handler> accept) {
        int actual = port == 0 ? world.network().freePort() : port;
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
        SimMachine named = world.machine(host);
        SimMachine target = named == null ? process.machine() : named;
        SimConnection near = new SimConnection(process, host + ":" + port, maxFrameBytes);
        open.add(near);
        near.handledBy(opened.apply(near));
        if (target == process.machine()) {
            connectHere(near, port);
        } else {
            knock(near, target, port, world.nowMs() + CONNECT_PATIENCE_MS);
        }
    }

    private void connectHere(SimConnection near, int port) {
        Server server = servers.get(port);
        if (server == null || !server.accepting) {
            near.close();
            return;
        }
        SimConnection far = server.arriving(this, "client:" + world.network().freePort());
        tie(near, far);
        far.handledBy(server.accept.apply(far));
        near.out().carry("established", near::established);
    }

    private void tie(SimConnection near, SimConnection far) {
        near.tie(far);
        far.tie(near);
    }

    private void knock(SimConnection near, SimMachine target, int port, long deadlineMs) {
        String from = process.machine().name();
        long delayMs = world.network().delayMs(from, target.name());
        world.at(delayMs, "syn", () -> {
            boolean reachable = target.isPowered() && world.network().reach(from, target.name());
            if (!process.isAlive() || near.isClosed()) {
                return;
            }
            if (reachable) {
                arrive(near, target, port);
            } else if (world.nowMs() < deadlineMs) {
                world.at(SYN_AGAIN_MS, "syn again", () -> knock(near, target, port, deadlineMs));
            } else {
                near.broken();
            }
        });
    }

    private void arrive(SimConnection near, SimMachine target, int port) {
        Server server = target.isUp() ? target.process().sockets().servers.get(port) : null;
        long backMs = world.network().delayMs(target.name(), process.machine().name());
        if (server == null || !server.accepting) {
            world.at(backMs, "refused", near::broken);
            return;
        }
        SimProcess there = target.process();
        SimConnection far = server.arriving(
                there.sockets(),
                process.machine().name() + ":" + world.network().freePort());
        tie(near, far);
        there.enter("accept", () -> far.handledBy(server.accept.apply(far)));
        far.out().carry("established", near::established);
    }

    void forget(SimConnection connection) {
        open.remove(connection);
    }

    /** The process is dead; where others are told, the system resets its connections, else everything falls silent. */
    void die(boolean told) {
        servers.clear();
        List<SimConnection> all = new ArrayList<>(open);
        open.clear();
        all.forEach(connection -> connection.die(told));
    }

    /** Resets the connections to a machine. */
    void reset(SimMachine other) {
        for (SimConnection connection : List.copyOf(open)) {
            if (connection.leadsTo(other)) {
                connection.reset();
            }
        }
    }

    @Override
    public void close() {
        servers.clear();
        List.copyOf(open).forEach(SimConnection::close);
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

        private SimConnection arriving(SimSockets at, String remote) {
            SimConnection far = new SimConnection(at.process, remote, maxFrameBytes);
            at.open.add(far);
            return far;
        }
    }
}
