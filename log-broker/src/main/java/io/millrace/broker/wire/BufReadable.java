package io.millrace.broker.wire;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.Readable;
import org.apache.kafka.common.utils.internals.ByteUtils;

/** Lets the generated messages read straight from a network buffer; byte fields become views of it. */
final class BufReadable implements Readable {
    private final ByteBuf buf;

    BufReadable(ByteBuf buf) {
        this.buf = buf;
    }

    @Override
    public byte readByte() {
        return buf.readByte();
    }

    @Override
    public short readShort() {
        return buf.readShort();
    }

    @Override
    public int readInt() {
        return buf.readInt();
    }

    @Override
    public long readLong() {
        return buf.readLong();
    }

    @Override
    public double readDouble() {
        return buf.readDouble();
    }

    @Override
    public byte[] readArray(int length) {
        checkRemaining(length);
        byte[] bytes = new byte[length];
        buf.readBytes(bytes);
        return bytes;
    }

    @Override
    public int readUnsignedVarint() {
        int value = 0;
        for (int shift = 0; shift <= 28; shift += 7) {
            int next = buf.readByte();
            value |= (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number of variable length has more than 5 bytes");
    }

    @Override
    public ByteBuffer readByteBuffer(int length) {
        checkRemaining(length);
        ByteBuffer view = buf.nioBuffer(buf.readerIndex(), length);
        buf.skipBytes(length);
        return view;
    }

    /** The length comes from the peer: nothing is allocated for bytes that are not there. */
    private void checkRemaining(int length) {
        if (length < 0 || length > buf.readableBytes()) {
            throw new IllegalArgumentException(
                    "a field of " + length + " bytes where " + buf.readableBytes() + " are left");
        }
    }

    @Override
    public int readVarint() {
        int raw = readUnsignedVarint();
        return (raw >>> 1) ^ -(raw & 1);
    }

    @Override
    public long readVarlong() {
        ByteBuffer rest = buf.nioBuffer();
        long value = ByteUtils.readVarlong(rest);
        buf.skipBytes(rest.position());
        return value;
    }

    @Override
    public int remaining() {
        return buf.readableBytes();
    }

    @Override
    public Readable slice() {
        return new BufReadable(buf.slice());
    }
}
