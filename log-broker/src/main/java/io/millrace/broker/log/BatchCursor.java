package io.millrace.broker.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Walks over the batches of a part of a segment, header by header. It stops where something is not a whole batch, and
 * says what it found there.
 */
final class BatchCursor {
    /** For a look at a few headers. */
    static final int SHORT = 4 << 10;
    /** For a walk over much of a segment. */
    static final int LONG = 128 << 10;

    private final LazyFile file;
    private final int end;
    private final ByteBuffer chunk;
    private final RecordBatch batch = new RecordBatch();
    private long chunkAt;
    private int position = -1;
    private int next;
    private String problem;

    BatchCursor(LazyFile file, int start, int end, int chunkBytes) {
        this.file = file;
        this.end = end;
        chunk = ByteBuffer.allocate(Math.max(RecordBatch.OVERHEAD, Math.min(chunkBytes, Math.max(0, end - start))));
        chunk.limit(0);
        next = start;
    }

    /** Moves to the next batch; false at the end, and where there is a {@link #problem}. */
    boolean next() {
        int left = end - next;
        if (left == 0 || problem != null) {
            return false;
        }
        if (left < RecordBatch.OVERHEAD) {
            problem = left + " bytes are too few for a batch header";
            return false;
        }
        if (!load(next, RecordBatch.OVERHEAD)) {
            problem = "the file ends inside a batch header";
            return false;
        }
        problem = problemWithHeader(left);
        if (problem != null) {
            return false;
        }
        position = next;
        next += batch.sizeBytes();
        return true;
    }

    private String problemWithHeader(int left) {
        batch.at(chunk, (int) (next - chunkAt));
        int size = batch.sizeBytes();
        if (batch.magic() != RecordBatch.MAGIC) {
            return "magic " + batch.magic() + " instead of " + RecordBatch.MAGIC;
        }
        if (size < RecordBatch.OVERHEAD || batch.lastOffsetDelta() < 0) {
            return "a header with size " + size + " and last offset delta " + batch.lastOffsetDelta();
        }
        return size > left ? "only " + left + " of a batch's " + size + " bytes" : null;
    }

    /** Makes the chunk cover a range; false where the file is shorter. */
    private boolean load(long from, int size) {
        if (from >= chunkAt && from + size <= chunkAt + chunk.limit()) {
            return true;
        }
        chunk.clear();
        file.read(from, chunk);
        chunk.flip();
        chunkAt = from;
        return chunk.limit() >= size;
    }

    /** The current batch; only its header can be relied on to be in the buffer. */
    RecordBatch batch() {
        return batch;
    }

    int position() {
        return position;
    }

    int nextPosition() {
        return next;
    }

    /** Why the walk ended early; null where it did not. */
    String problem() {
        return problem;
    }

    /** Reads the current batch piece by piece, however large it is. The cursor then stands behind its header. */
    boolean checksumOk() {
        int expected = batch.crc();
        CRC32C crc = new CRC32C();
        long at = (long) position + RecordBatch.ATTRIBUTES_AT;
        while (at < next) {
            if (!load(at, 1)) {
                return false;
            }
            int from = (int) (at - chunkAt);
            int size = (int) Math.min(chunk.limit() - from, next - at);
            crc.update(chunk.array(), from, size);
            at += size;
        }
        boolean ok = (int) crc.getValue() == expected;
        if (!load(position, RecordBatch.OVERHEAD)) {
            return false;
        }
        batch.at(chunk, (int) (position - chunkAt));
        return ok;
    }

    /** The whole current batch, until the cursor moves. */
    RecordBatch content() {
        int size = batch.sizeBytes();
        if (size <= chunk.capacity() && load(position, size)) {
            return batch.at(chunk, (int) (position - chunkAt));
        }
        ByteBuffer whole = ByteBuffer.allocate(size);
        file.read(position, whole);
        if (whole.hasRemaining()) {
            throw new CorruptBatchException("the file ends inside the batch at position " + position);
        }
        return new RecordBatch().at(whole.flip(), 0);
    }
}
