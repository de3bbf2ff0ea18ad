package io.millrace.kernel;

import java.util.function.Function;

/** Connections that carry frames: a length of four bytes, big endian, and that many bytes. */
public interface Network extends AutoCloseable {

    /**
     * Binds an address. Clients can connect from then on, but nothing they send is read before {@link
     * Listener#accept}.
     *
     * @param port 0 for any free one; {@link Listener#port()} tells which
     * @param maxFrameBytes a longer frame is refused without reading it, see {@link Connection.Handler#refused}
     * @param accept makes the handler of each new connection, on its I/O thread
     * @throws NetworkException when the address cannot be bound
     */
    Listener listen(String host, int port, int maxFrameBytes, Function<Connection, Connection.Handler> accept);

    /**
     * Opens a connection: {@link Connection.Handler#established} is called when it stands. A failure is reported as {@link
     * Connection.Handler#closed} alone.
     */
    void connect(String host, int port, int maxFrameBytes, Function<Connection, Connection.Handler> opened);

    /** Closes every listener and connection. */
    @Override
    void close();

    /** A bound address. */
    interface Listener extends AutoCloseable {

        int port();

        /** Starts taking in connections. */
        void accept();

        /** Stops accepting; connections that exist stay open. */
        @Override
        void close();
    }
}
