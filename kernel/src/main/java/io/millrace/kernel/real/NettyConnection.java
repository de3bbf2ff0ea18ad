package io.millrace.kernel.real;

import io.millrace.kernel.Connection;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.util.List;

/** A connection on a Netty socket. */
final class NettyConnection implements Connection {
    private final SocketChannel socket;
    private boolean wanted = true;
    private boolean writable = true;

    NettyConnection(SocketChannel socket) {
        this.socket = socket;
    }

    @Override
    public String remote() {
        InetSocketAddress address = socket.remoteAddress();
        return address == null ? "unknown" : address.getHostString() + ":" + address.getPort();
    }

    @Override
    public String remoteHost() {
        InetSocketAddress address = socket.remoteAddress();
        return address == null ? "unknown" : address.getAddress().getHostAddress();
    }

    @Override
    public void send(List<Part> parts) {
        if (socket.eventLoop().inEventLoop()) {
            write(parts);
        } else {
            socket.eventLoop().execute(() -> write(parts));
        }
    }

    private void write(List<Part> parts) {
        for (Part part : parts) {
            if (part instanceof Memory memory) {
                socket.write(memory.bytes(), socket.voidPromise());
            } else if (part instanceof FileRange range) {
                writeFile(range);
            }
        }
        socket.flush();
    }

    private void writeFile(FileRange range) {
        FileChannel file = ((ChannelFile) range.file()).channel();
        ChannelFuture written = socket.write(new SharedFileRegion(file, range.position(), range.sizeBytes()));
        written.addListener(done -> {
            range.release();
            if (!done.isSuccess()) {
                socket.close(); // part of a response is missing, so nothing after it could be understood
            }
        });
    }

    @Override
    public void reading(boolean on) {
        wanted = on;
        socket.config().setAutoRead(wanted && writable);
    }

    /**
     * A peer that does not take what it has asked for is not asked for more: its answers would fill the memory. This holds for
     * who was connected to, not for who asks: were both not to read until the other one does, neither ever would.
     */
    void writable(boolean on) {
        boolean accepted = socket.parent() != null;
        writable = on || !accepted;
        socket.config().setAutoRead(wanted && writable);
    }

    @Override
    public void execute(Runnable task) {
        socket.eventLoop().execute(task);
    }

    @Override
    public void close() {
        Channel channel = socket;
        channel.close();
    }

    /** A region of a file that others use too: it does not close the file when it has been sent. */
    private static final class SharedFileRegion extends DefaultFileRegion {
        SharedFileRegion(FileChannel file, long position, long sizeBytes) {
            super(file, position, sizeBytes);
        }

        @Override
        protected void deallocate() {
            // the holder of the file's reference releases it
        }
    }
}
