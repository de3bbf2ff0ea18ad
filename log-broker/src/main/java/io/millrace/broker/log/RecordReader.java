package io.millrace.broker.log;

import io.millrace.broker.wire.CompressedBatches;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/** Walks over the records of one batch; what it hands out are slices of the batch (or of its decompressed content). */
public final class RecordReader {
    private final ByteBuffer records;
    private final long baseOffset;
    private final long baseTimestamp;
    private final long appendTimeMs;
    private final int count;
    private int left;

    private byte attributes;
    private long timestamp;
    private int offsetDelta;
    private ByteBuffer key;
    private ByteBuffer value;
    private ByteBuffer content;

    /** Decompresses the batch where necessary. */
    public RecordReader(RecordBatch batch) {
        records = batch.compression() == 0
                ? batch.payload()
                : decompressed(batch.compression(), batch.payload(), batch.toString());
        baseOffset = batch.baseOffset();
        baseTimestamp = batch.baseTimestamp();
        appendTimeMs = batch.appendTime() ? batch.maxTimestamp() : -1;
        count = batch.recordCount();
        left = count;
    }

    private static ByteBuffer decompressed(int compression, ByteBuffer payload, String what) {
        try {
            return CompressedBatches.decompress(compression, payload);
        } catch (CompressedBatches.UnreadableException e) {
            throw new CorruptBatchException("cannot decompress the " + what, e);
        }
    }

    /** Moves to the next record; false behind the last one. */
    public boolean next() {
        if (left <= 0) {
            return false;
        }
        left--;
        try {
            readRecord();
        } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new CorruptBatchException("a record of the batch at offset " + baseOffset + " runs over its end", e);
        }
        return true;
    }

    private void readRecord() {
        int length = Varints.readInt(records);
        int end = records.position() + length;
        attributes = records.get();
        timestamp = baseTimestamp + Varints.readLong(records);
        offsetDelta = Varints.readInt(records);
        int contentAt = records.position();
        key = readBytes();
        value = readBytes();
        records.position(end);
        content = records.slice(contentAt, end - contentAt);
    }

    private ByteBuffer readBytes() {
        int length = Varints.readInt(records);
        if (length < 0) {
            return null;
        }
        ByteBuffer slice = records.slice(records.position(), length);
        records.position(records.position() + length);
        return slice;
    }

    public long offset() {
        return baseOffset + offsetDelta;
    }

    public long timestamp() {
        return appendTimeMs >= 0 ? appendTimeMs : timestamp;
    }

    /** Null where the record has none. */
    public ByteBuffer key() {
        return key;
    }

    /** Null for a tombstone. */
    public ByteBuffer value() {
        return value;
    }

    /** Writes the record for a batch whose timestamps count from elsewhere. */
    void writeShifted(ByteBuffer into, long newBaseTimestamp) {
        long delta = timestamp - newBaseTimestamp;
        Varints.write(into, 1 + Varints.size(delta) + Varints.size(offsetDelta) + content.remaining());
        into.put(attributes);
        Varints.write(into, delta);
        Varints.write(into, offsetDelta);
        into.put(content.duplicate());
    }

    /** At least what all records take when their timestamps count from elsewhere. */
    int shiftedSizeLimit() {
        return records.limit() + count * 15;
    }

    /** Goes back before the first record. */
    void restart() {
        records.rewind();
        left = count;
    }
}
