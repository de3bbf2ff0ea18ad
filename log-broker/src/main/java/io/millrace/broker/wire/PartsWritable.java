package io.millrace.broker.wire;

import io.millrace.kernel.Connection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.protocol.Writable;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.internals.ByteUtils;

/** Lets the generated messages write into one buffer, cut only where records go in between: they are never copied. */
final class PartsWritable implements Writable {
    private final ByteBuf buf;
    private final List<Connection.Part> parts = new ArrayList<>(1);
    private int cutAt;

    /** @param memoryBytes what will be written without the records and other bytes that are not copied */
    PartsWritable(int memoryBytes) {
        buf = ByteBufAllocator.DEFAULT.buffer(memoryBytes, memoryBytes);
    }

    /** Everything written so far, ready to be sent; to be called once. */
    List<Connection.Part> finish() {
        cut();
        buf.release();
        return parts;
    }

    /** Frees what was written by a message that failed half-way. */
    void abandon() {
        parts.forEach(Connection.Part::release);
        buf.release();
    }

    private void cut() {
        int length = buf.writerIndex() - cutAt;
        if (length > 0) {
            parts.add(new Connection.Memory(buf.retainedSlice(cutAt, length)));
            cutAt = buf.writerIndex();
        }
    }

    @Override
    public void writeRecords(BaseRecords records) {
        if (records instanceof StoredRecords stored) {
            cut();
            parts.addAll(stored.ranges());
        } else {
            writeByteBuffer(((MemoryRecords) records).buffer());
        }
    }

    @Override
    public void writeByte(byte value) {
        buf.writeByte(value);
    }

    @Override
    public void writeShort(short value) {
        buf.writeShort(value);
    }

    @Override
    public void writeInt(int value) {
        buf.writeInt(value);
    }

    @Override
    public void writeLong(long value) {
        buf.writeLong(value);
    }

    @Override
    public void writeDouble(double value) {
        buf.writeDouble(value);
    }

    @Override
    public void writeByteArray(byte[] bytes) {
        buf.writeBytes(bytes);
    }

    @Override
    public void writeUnsignedVarint(int value) {
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            buf.writeByte((rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        buf.writeByte(rest);
    }

    @Override
    public void writeByteBuffer(ByteBuffer bytes) {
        cut();
        parts.add(new Connection.Memory(Unpooled.wrappedBuffer(bytes.duplicate())));
    }

    @Override
    public void writeVarint(int value) {
        writeUnsignedVarint((value << 1) ^ (value >> 31));
    }

    @Override
    public void writeVarlong(long value) {
        ByteBuffer encoded = ByteBuffer.allocate(10);
        ByteUtils.writeVarlong(value, encoded);
        buf.writeBytes(encoded.flip());
    }
}
