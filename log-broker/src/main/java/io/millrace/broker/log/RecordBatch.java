package io.millrace.broker.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A window on one record batch (format 2) inside a buffer. The object is reused by moving it with {@link #at}; the
 * records are neither decompressed nor rewritten.
 */
public final class RecordBatch {
    /** Bytes before the first record. */
    public static final int OVERHEAD = 61;

    public static final long NO_PRODUCER = -1;
    public static final byte MAGIC = 2;

    static final int LENGTH_AT = 8;
    static final int LEADER_EPOCH_AT = 12;
    static final int MAGIC_AT = 16;
    static final int CRC_AT = 17;
    static final int ATTRIBUTES_AT = 21;
    static final int LAST_OFFSET_DELTA_AT = 23;
    static final int BASE_TIMESTAMP_AT = 27;
    static final int MAX_TIMESTAMP_AT = 35;
    static final int PRODUCER_ID_AT = 43;
    static final int PRODUCER_EPOCH_AT = 51;
    static final int BASE_SEQUENCE_AT = 53;
    static final int RECORD_COUNT_AT = 57;

    /** What the length field does not count: base offset and the length itself. */
    static final int BEFORE_LENGTH_COUNTS = 12;

    static final int COMPRESSION_MASK = 0x07;
    static final int APPEND_TIME = 0x08;
    static final int TRANSACTIONAL = 0x10;
    static final int CONTROL = 0x20;
    static final int DELETE_HORIZON = 0x40;
    static final int KNOWN_ATTRIBUTES = 0x7f;

    private ByteBuffer buffer;
    private int position;

    /** Moves this window to the batch that starts at an absolute position of a big-endian buffer. */
    public RecordBatch at(ByteBuffer newBuffer, int newPosition) {
        buffer = newBuffer;
        position = newPosition;
        return this;
    }

    public long baseOffset() {
        return buffer.getLong(position);
    }

    /** The whole batch, header included, as its length field states it. */
    public int sizeBytes() {
        return BEFORE_LENGTH_COUNTS + buffer.getInt(position + LENGTH_AT);
    }

    public int leaderEpoch() {
        return buffer.getInt(position + LEADER_EPOCH_AT);
    }

    public byte magic() {
        return buffer.get(position + MAGIC_AT);
    }

    public int crc() {
        return buffer.getInt(position + CRC_AT);
    }

    public short attributes() {
        return buffer.getShort(position + ATTRIBUTES_AT);
    }

    public int lastOffsetDelta() {
        return buffer.getInt(position + LAST_OFFSET_DELTA_AT);
    }

    /** What the timestamps of the records count from; the delete horizon where {@link #hasDeleteHorizon}. */
    public long baseTimestamp() {
        return buffer.getLong(position + BASE_TIMESTAMP_AT);
    }

    public long maxTimestamp() {
        return buffer.getLong(position + MAX_TIMESTAMP_AT);
    }

    public long producerId() {
        return buffer.getLong(position + PRODUCER_ID_AT);
    }

    public short producerEpoch() {
        return buffer.getShort(position + PRODUCER_EPOCH_AT);
    }

    public int baseSequence() {
        return buffer.getInt(position + BASE_SEQUENCE_AT);
    }

    public int recordCount() {
        return buffer.getInt(position + RECORD_COUNT_AT);
    }

    public long lastOffset() {
        return baseOffset() + lastOffsetDelta();
    }

    /** Sequences run from 0 to {@link Integer#MAX_VALUE} and start over. */
    public int lastSequence() {
        return baseSequence() < 0 ? -1 : (baseSequence() + lastOffsetDelta()) & Integer.MAX_VALUE;
    }

    public boolean transactional() {
        return (attributes() & TRANSACTIONAL) != 0;
    }

    public boolean control() {
        return (attributes() & CONTROL) != 0;
    }

    public boolean hasProducerId() {
        return producerId() != NO_PRODUCER;
    }

    /** 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd. */
    public int compression() {
        return attributes() & COMPRESSION_MASK;
    }

    /** All records carry the broker's time of append, which is {@link #maxTimestamp}. */
    public boolean appendTime() {
        return (attributes() & APPEND_TIME) != 0;
    }

    /** Compaction has decided from when on tombstones and markers of this batch may go (KIP-534). */
    public boolean hasDeleteHorizon() {
        return (attributes() & DELETE_HORIZON) != 0;
    }

    public boolean checksumOk() {
        return crc() == checksum();
    }

    private int checksum() {
        CRC32C crc = new CRC32C();
        crc.update(buffer.duplicate().limit(position + sizeBytes()).position(position + ATTRIBUTES_AT));
        return (int) crc.getValue();
    }

    /** Puts the batch at its place in the log; the checksum does not cover what changes here. */
    public void assign(long baseOffset, int leaderEpoch) {
        buffer.putLong(position, baseOffset);
        buffer.putInt(position + LEADER_EPOCH_AT, leaderEpoch);
    }

    /** Makes the moment of append the timestamp of every record. */
    public void stampAppendTime(long nowMs) {
        buffer.putShort(position + ATTRIBUTES_AT, (short) (attributes() | APPEND_TIME));
        buffer.putLong(position + MAX_TIMESTAMP_AT, nowMs);
        buffer.putInt(position + CRC_AT, checksum());
    }

    /** Makes length and checksum true after the content has changed. */
    void seal(int sizeBytes) {
        buffer.putInt(position + LENGTH_AT, sizeBytes - BEFORE_LENGTH_COUNTS);
        buffer.putInt(position + CRC_AT, checksum());
    }

    /** The bytes behind the header, compressed or not. */
    ByteBuffer payload() {
        return buffer.slice(position + OVERHEAD, sizeBytes() - OVERHEAD);
    }

    /** The whole batch as a buffer of its own that shares these bytes. */
    ByteBuffer bytes() {
        return buffer.slice(position, sizeBytes());
    }

    @Override
    public String toString() {
        return "batch of offsets " + baseOffset() + " to " + lastOffset() + ", epoch " + leaderEpoch();
    }
}
