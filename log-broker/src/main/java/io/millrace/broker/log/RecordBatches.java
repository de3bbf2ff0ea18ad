package io.millrace.broker.log;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** The whole batches between a buffer's position and limit; a fetched buffer may end in the middle of one. */
public final class RecordBatches implements Iterable<RecordBatch> {
    private final ByteBuffer buffer;

    public RecordBatches(ByteBuffer buffer) {
        this.buffer = buffer;
    }

    /** Bytes at the end that are not a whole batch, or do not look like one. */
    public int trailingBytes() {
        int position = buffer.position();
        int size = sizeAt(position);
        while (size > 0) {
            position += size;
            size = sizeAt(position);
        }
        return buffer.limit() - position;
    }

    /** The size of the batch at a position; 0 where there is no whole batch. */
    private int sizeAt(int position) {
        int left = buffer.limit() - position;
        if (left < RecordBatch.OVERHEAD) {
            return 0;
        }
        int length = buffer.getInt(position + RecordBatch.LENGTH_AT);
        boolean whole = length >= RecordBatch.OVERHEAD - RecordBatch.BEFORE_LENGTH_COUNTS
                && length <= left - RecordBatch.BEFORE_LENGTH_COUNTS;
        return whole ? length + RecordBatch.BEFORE_LENGTH_COUNTS : 0;
    }

    /** Hands out one and the same window, moved from batch to batch. */
    @Override
    public Iterator<RecordBatch> iterator() {
        return new Iterator<>() {
            private final RecordBatch batch = new RecordBatch();
            private int next = buffer.position();

            @Override
            public boolean hasNext() {
                return sizeAt(next) > 0;
            }

            @Override
            public RecordBatch next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                batch.at(buffer, next);
                next += batch.sizeBytes();
                return batch;
            }
        };
    }
}
