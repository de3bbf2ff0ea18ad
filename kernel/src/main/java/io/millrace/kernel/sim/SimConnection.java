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
    private static final long SILENCE_MIN_MS = 1_000;
    private static final long SILENCE_MAX_MS = 15_000;

    private final SimProcess process;
    private final SimWorld world;
    private final String remote;
    private final int maxFrameBytes;
    private final ByteBuf received = Unpooled.buffer();
    private final Queue<ByteBuf> unread = new ArrayDeque<>();
    private Handler handler;
    private SimConnection peer;
    private SimStream out;
    private boolean reading = true;
    private boolean closed;

    SimConnection(SimProcess process, String remote, int maxFrameBytes) {
        this.process = process;
        this.world = process.world();
        this.remote = remote;
        this.maxFrameBytes = maxFrameBytes;
    }

    void handledBy(Handler by) {
        handler = by;
    }

    void tie(SimConnection to) {
        peer = to;
        out = new SimStream(world, this, to);
    }

    SimProcess process() {
        return process;
    }

    SimStream out() {
        return out;
    }

    boolean isClosed() {
        return closed;
    }

    boolean leadsTo(SimMachine machine) {
        return peer != null && peer.process.machine() == machine;
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
        if (!closed && peer != null && process.isAlive()) {
            out.carry("frame of " + bytes.readableBytes(), () -> peer.arrive(bytes));
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
        received.discardReadBytes();
    }

    @Override
    public void reading(boolean on) {
        reading = on;
        if (on) {
            process.at(0, "read on", this::deliver);
        }
    }

    @Override
    public void execute(Runnable task) {
        process.at(0, "connection task", task);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        gone();
        if (peer != null) {
            out.carry("close", peer::close);
        }
    }

    /** This end finds that the connection is gone, and tells nobody. */
    void broken() {
        if (!closed) {
            gone();
            if (out != null) {
                out.breakOff();
            }
        }
    }

    private void gone() {
        closed = true;
        process.sockets().forget(this);
        process.at(0, "closed", () -> handler.closed());
    }

    /** Both ends find that the connection is gone. */
    void reset() {
        broken();
        peer.broken();
    }

    /** The process of this end is dead. */
    void die(boolean told) {
        closed = true;
        if (peer == null) {
            return;
        }
        if (told) {
            out.carry("reset", peer::broken);
        } else {
            long silenceMs = world.random().nextLong(SILENCE_MIN_MS, SILENCE_MAX_MS);
            out.breakOff();
            world.at(silenceMs, "silence ends", peer::broken);
        }
    }
}
