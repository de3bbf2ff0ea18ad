package io.millrace.kernel;

import io.netty.buffer.ByteBuf;
import java.util.List;

/** One connection. Every method may be called from any thread; the handler runs on the connection's I/O thread. */
public interface Connection {

    /** The other side as {@code host:port}, for messages. */
    String remote();

    /** The host of the other side. */
    String remoteHost();

    /** Sends parts in order and releases them, whether or not the connection still stands. */
    void send(List<Part> parts);

    /** Stops or resumes reading from the socket: how a busy server pushes back. */
    void reading(boolean on);

    /** Runs a task later on the connection's I/O thread, also after the connection has closed. */
    void execute(Runnable task);

    void close();

    /** What is sent: bytes from memory or from a file. */
    sealed interface Part {
        int sizeBytes();

        void release();
    }

    /** Bytes in memory; the part owns one reference to the buffer. */
    record Memory(ByteBuf bytes) implements Part {
        @Override
        public int sizeBytes() {
            return bytes.readableBytes();
        }

        @Override
        public void release() {
            bytes.release();
        }
    }

    /** Bytes of a file, which the system copies to the socket without showing them to us; owns one reference. */
    record FileRange(DiskFile file, long position, int sizeBytes) implements Part {
        @Override
        public void release() {
            file.release();
        }
    }

    /** The receiving side of a connection. */
    interface Handler {

        /** The connection stands; a side that opened it can send from now on. */
        default void established() {}

        /** A whole frame without its length; the callee releases it. */
        void frame(ByteBuf frame);

        /** The peer sent what cannot be framed; the connection is closed right after. */
        void refused(String why);

        /** The connection is gone; called once. */
        void closed();
    }
}
