package io.millrace.kernel.sim;

import io.millrace.kernel.Connection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/** One end of a connection inside the world. */
final class SimConnection implements Connection {
    private final SimWorld world;
    private final String remote;
    private final int maxFrameBytes;
    private final ByteBuf received = Unpooled.buffer();
    private final Queue<ByteBuf> unread = new ArrayDeque<>();
    private Handler handler;
    private SimConnection peer;
    private long delayMs;
    private boolean reading = true;
    private boolean closed;

    SimConnection(SimWorld world, String remote, int maxFrameBytes) {
        this.world = world;
        this.remote = remote;
        this.maxFrameBytes = maxFrameBytes;
    }

    void handledBy(Handler by) {
        handler = by;
    }

    void tie(SimConnection to, long delay) {
        peer = to;
        delayMs = delay;
    }

    @Override
    public String remote() {
        return remote;
    }

    @Override
    public String remoteHost() {
        return remote.substring(0, remote.lastIndexOf(':'));
    }

    @Override
    public void send(List<Part> parts) {
        ByteBuf bytes = Unpooled.buffer();
        for (Part part : parts) {
            if (part instanceof Memory memory) {
                bytes.writeBytes(memory.bytes());
            } else if (part instanceof FileRange range) {
                ByteBuffer content = ByteBuffer.allocate(range.sizeBytes());
                range.file().read(range.position(), content);
                bytes.writeBytes(content.flip());
            }
            part.release();
        }
        if (!closed && peer != null) {
            world.at(delayMs, () -> peer.arrive(bytes));
        }
    }

    void established() {
        if (!closed) {
            handler.established();
        }
    }

    private void arrive(ByteBuf bytes) {
        if (closed) {
            return;
        }
        unread.add(bytes);
        deliver();
    }

    private void deliver() {
        while (reading && !closed && !unread.isEmpty()) {
            received.writeBytes(unread.remove());
            frames();
        }
    }

    private void frames() {
        while (!closed && received.readableBytes() >= Integer.BYTES) {
            int length = received.getInt(received.readerIndex());
            if (length < 0 || length > maxFrameBytes) {
                handler.refused("a frame of " + length + " bytes, allowed are 0 to " + maxFrameBytes);
                close();
                return;
            }
            if (received.readableBytes() < Integer.BYTES + length) {
                return;
            }
            received.skipBytes(Integer.BYTES);
            handler.frame(received.readBytes(length));
        }
    }

    @Override
    public void reading(boolean on) {
        reading = on;
        if (on) {
            world.at(0, this::deliver);
        }
    }

    @Override
    public void execute(Runnable task) {
        world.at(0, task);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        world.at(0, () -> handler.closed());
        if (peer != null) {
            world.at(delayMs, peer::close);
        }
    }
}
