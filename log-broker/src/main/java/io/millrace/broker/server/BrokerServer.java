package io.millrace.broker.server;

import io.millrace.kernel.Network;

/** Listens for clients. The port is known, and taken, before anybody is answered. */
public final class BrokerServer implements AutoCloseable {
    private final Network.Listener listener;
    private volatile Dispatch dispatch;

    private BrokerServer(Network network, String host, int port, int maxRequestBytes) {
        listener = network.listen(
                host,
                port,
                maxRequestBytes,
                connection -> new ClientConnection(connection, dispatch.protocol(), dispatch));
    }

    public static BrokerServer bind(Network network, String host, int port, int maxRequestBytes) {
        return new BrokerServer(network, host, port, maxRequestBytes);
    }

    public int port() {
        return listener.port();
    }

    /** Starts answering. */
    public void serve(Dispatch handlers) {
        dispatch = handlers;
        listener.accept();
    }

    @Override
    public void close() {
        listener.close();
    }
}
