package io.millrace.broker.log;

import java.nio.ByteBuffer;

/** Builds an uncompressed record batch. */
public final class BatchBuilder {
    private static final short ABORT = 0;
    private static final short COMMIT = 1;

    private ByteBuffer bytes = ByteBuffer.allocate(512).position(RecordBatch.OVERHEAD);
    private int count;
    private long baseTimestamp = -1;
    private long maxTimestamp = -1;
    private short attributes;
    private long producerId = RecordBatch.NO_PRODUCER;
    private short producerEpoch = -1;
    private int baseSequence = -1;
    private long baseOffset;
    private int leaderEpoch = -1;

    /** @param baseSequence -1 for writes that are part of a transaction but not sequenced, as coordinators make */
    public BatchBuilder producer(long id, short epoch, int baseSequence) {
        producerId = id;
        producerEpoch = epoch;
        this.baseSequence = baseSequence;
        return this;
    }

    public BatchBuilder transactional() {
        attributes |= RecordBatch.TRANSACTIONAL;
        return this;
    }

    /** Where the batch stands in a log; a leader assigns this itself. */
    public BatchBuilder at(long baseOffset, int leaderEpoch) {
        this.baseOffset = baseOffset;
        this.leaderEpoch = leaderEpoch;
        return this;
    }

    public BatchBuilder add(long timestampMs, byte[] key, byte[] value) {
        return add(
                timestampMs, key == null ? null : ByteBuffer.wrap(key), value == null ? null : ByteBuffer.wrap(value));
    }

    /** Copies the remaining bytes of key and value, either of which may be null. */
    public BatchBuilder add(long timestampMs, ByteBuffer key, ByteBuffer value) {
        if (count == 0) {
            baseTimestamp = timestampMs;
        }
        maxTimestamp = Math.max(maxTimestamp, timestampMs);
        long delta = timestampMs - baseTimestamp;
        int length = 1 + Varints.size(delta) + Varints.size(count) + size(key) + size(value) + 1;
        reserve(length + 5);
        Varints.write(bytes, length);
        bytes.put((byte) 0);
        Varints.write(bytes, delta);
        Varints.write(bytes, count);
        put(key);
        put(value);
        Varints.write(bytes, 0);
        count++;
        return this;
    }

    private static int size(ByteBuffer field) {
        return field == null ? 1 : Varints.size(field.remaining()) + field.remaining();
    }

    private void put(ByteBuffer field) {
        if (field == null) {
            Varints.write(bytes, -1);
        } else {
            Varints.write(bytes, field.remaining());
            bytes.put(field.duplicate());
        }
    }

    private void reserve(int size) {
        if (bytes.remaining() < size) {
            int needed = Math.addExact(bytes.position(), size);
            ByteBuffer larger =
                    ByteBuffer.allocate(Math.max(needed, (int) Math.min(Integer.MAX_VALUE - 8, 2L * needed)));
            bytes = larger.put(bytes.flip());
        }
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /** What {@link #build} would return now. */
    public int sizeBytes() {
        return bytes.position();
    }

    /** The batch; the builder must not be used any more. */
    public ByteBuffer build() {
        ByteBuffer built = bytes.flip();
        built.putLong(0, baseOffset);
        built.putInt(RecordBatch.LEADER_EPOCH_AT, leaderEpoch);
        built.put(RecordBatch.MAGIC_AT, RecordBatch.MAGIC);
        built.putShort(RecordBatch.ATTRIBUTES_AT, attributes);
        built.putInt(RecordBatch.LAST_OFFSET_DELTA_AT, count - 1);
        built.putLong(RecordBatch.BASE_TIMESTAMP_AT, baseTimestamp);
        built.putLong(RecordBatch.MAX_TIMESTAMP_AT, maxTimestamp);
        built.putLong(RecordBatch.PRODUCER_ID_AT, producerId);
        built.putShort(RecordBatch.PRODUCER_EPOCH_AT, producerEpoch);
        built.putInt(RecordBatch.BASE_SEQUENCE_AT, baseSequence);
        built.putInt(RecordBatch.RECORD_COUNT_AT, count);
        new RecordBatch().at(built, 0).seal(built.limit());
        return built;
    }

    /** The control batch that ends a transaction on a partition (KIP-98). */
    public static ByteBuffer endTransactionMarker(
            long producerId, short epoch, boolean commit, int coordinatorEpoch, long timestampMs) {
        ByteBuffer key = ByteBuffer.allocate(4).putShort((short) 0).putShort(commit ? COMMIT : ABORT);
        ByteBuffer value = ByteBuffer.allocate(6).putShort((short) 0).putInt(coordinatorEpoch);
        BatchBuilder builder =
                new BatchBuilder().producer(producerId, epoch, -1).transactional();
        builder.attributes |= RecordBatch.CONTROL;
        return builder.add(timestampMs, key.flip(), value.flip()).build();
    }
}
