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
    private final Queue<ByteBuf> unread = new ArrayDeque<>();
    private ByteBuf received = Unpooled.EMPTY_BUFFER;
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
        boolean goesOut = !closed && peer != null && process.isAlive();
        int sizeBytes = goesOut ? parts.stream().mapToInt(Part::sizeBytes).sum() : 0;
        ByteBuffer bytes = ByteBuffer.allocate(sizeBytes);
        for (Part part : parts) {
            if (goesOut) {
                write(part, bytes);
            }
            part.release();
        }
        if (goesOut) {
            out.carry("frame of " + sizeBytes, () -> peer.arrive(Unpooled.wrappedBuffer(bytes.flip())));
        }
    }

    private static void write(Part part, ByteBuffer into) {
        if (part instanceof Memory memory) {
            into.put(memory.bytes().nioBuffer());
        } else if (part instanceof FileRange range) {
            ByteBuffer content = into.slice(into.position(), range.sizeBytes());
            range.file().read(range.position(), content);
            into.position(into.position() + content.position());
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
            ByteBuf next = unread.remove();
            received = received.isReadable() ? Unpooled.wrappedBuffer(received, next) : next;
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
            handler.frame(received.readRetainedSlice(length));
        }
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
