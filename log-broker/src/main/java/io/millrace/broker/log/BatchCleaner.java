package io.millrace.broker.log;

import io.millrace.broker.wire.CompressedBatches;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Decides batch by batch, in the order of the log, what compaction leaves of it.
 *
 * <p>Of a key the last record stays. A tombstone that is the last stays until its batch's delete horizon, so that a
 * reader who has seen the record it deletes sees the deletion too; the horizon is set when compaction first meets it
 * (KIP-534). Records of aborted transactions go. A marker stays as long as any batch of its transaction is there, and
 * then until a horizon of its own: without it, what is left of the transaction would look open for ever.
 */
final class BatchCleaner {
    private final KeyOffsets keys;
    private final AbortedRanges aborted;
    private final Map<Long, Long> lastOffsetOfProducer;
    private final long nowMs;
    private final long newHorizonMs;
    /** Producers with batches behind their last marker. */
    private final Set<Long> withBatches = new HashSet<>();

    BatchCleaner(
            KeyOffsets keys,
            AbortedRanges aborted,
            Map<Long, Long> lastOffsetOfProducer,
            long nowMs,
            long deleteRetentionMs) {
        this.keys = keys;
        this.aborted = aborted;
        this.lastOffsetOfProducer = lastOffsetOfProducer;
        this.nowMs = nowMs;
        newHorizonMs = nowMs + deleteRetentionMs;
    }

    /**
     * What is left of a batch; null where nothing is.
     *
     * @param last of its segment: something of it must stay, so that readers get to the end of what there was
     */
    ByteBuffer clean(RecordBatch batch, boolean last) {
        return batch.control() ? cleanMarker(batch, last) : cleanData(batch, last);
    }

    private ByteBuffer cleanMarker(RecordBatch batch, boolean last) {
        boolean needed = withBatches.remove(batch.producerId()) || last;
        if (needed || TransactionMarker.of(batch).isEmpty()) {
            return batch.bytes();
        }
        if (!batch.hasDeleteHorizon()) {
            return rewritten(batch, new RecordReader(batch), null, true);
        }
        return isOver(batch) ? null : batch.bytes();
    }

    private boolean isOver(RecordBatch batch) {
        return batch.hasDeleteHorizon() && batch.baseTimestamp() <= nowMs;
    }

    private ByteBuffer cleanData(RecordBatch batch, boolean last) {
        if (batch.transactional()) {
            withBatches.add(batch.producerId());
        }
        BitSet kept = new BitSet();
        boolean tombstones = false;
        RecordReader records = new RecordReader(batch);
        if (!aborted.contains(batch)) {
            for (int i = 0; records.next(); i++) {
                boolean keep = isKept(records, isOver(batch));
                kept.set(i, keep);
                tombstones |= keep && records.value() == null;
            }
        }
        boolean setHorizon = tombstones && !batch.hasDeleteHorizon();
        if (kept.isEmpty()) {
            return last || isLastOfProducer(batch) ? emptied(batch) : null;
        }
        return kept.cardinality() == batch.recordCount() && !setHorizon
                ? batch.bytes()
                : rewritten(batch, records, kept, setHorizon);
    }

    /** Records without a key are nobody's old version. */
    private boolean isKept(RecordReader record, boolean tombstonesGo) {
        if (record.key() != null && record.offset() < keys.last(record.key())) {
            return false;
        }
        return record.key() == null || record.value() != null || !tombstonesGo;
    }

    /** Its sequence is what a replica that starts from these bytes knows of the producer. */
    private boolean isLastOfProducer(RecordBatch batch) {
        Long last = lastOffsetOfProducer.get(batch.producerId());
        return last != null && last == batch.lastOffset();
    }

    private static ByteBuffer emptied(RecordBatch batch) {
        ByteBuffer header = ByteBuffer.allocate(RecordBatch.OVERHEAD)
                .put(batch.bytes().limit(RecordBatch.OVERHEAD))
                .flip();
        int attributes = batch.attributes() & ~(RecordBatch.COMPRESSION_MASK | RecordBatch.DELETE_HORIZON);
        header.putShort(RecordBatch.ATTRIBUTES_AT, (short) attributes);
        header.putLong(RecordBatch.BASE_TIMESTAMP_AT, batch.maxTimestamp());
        header.putInt(RecordBatch.RECORD_COUNT_AT, 0);
        new RecordBatch().at(header, 0).seal(RecordBatch.OVERHEAD);
        return header;
    }

    /** @param kept the records to keep, by their place in the batch; null for all */
    private ByteBuffer rewritten(RecordBatch batch, RecordReader records, BitSet kept, boolean setHorizon) {
        long base = setHorizon ? newHorizonMs : batch.baseTimestamp();
        ByteBuffer content = ByteBuffer.allocate(records.shiftedSizeLimit());
        long maxTimestamp = -1;
        int count = 0;
        records.restart();
        for (int i = 0; records.next(); i++) {
            if (kept == null || kept.get(i)) {
                records.writeShifted(content, base);
                maxTimestamp = Math.max(maxTimestamp, records.timestamp());
                count++;
            }
        }
        ByteBuffer payload = batch.compression() == 0
                ? content.flip()
                : CompressedBatches.compress(batch.compression(), content.flip());
        ByteBuffer whole = ByteBuffer.allocate(RecordBatch.OVERHEAD + payload.remaining())
                .put(batch.bytes().limit(RecordBatch.OVERHEAD))
                .put(payload)
                .flip();
        int attributes = batch.attributes() | (setHorizon ? RecordBatch.DELETE_HORIZON : 0);
        whole.putShort(RecordBatch.ATTRIBUTES_AT, (short) attributes);
        whole.putLong(RecordBatch.BASE_TIMESTAMP_AT, base);
        whole.putLong(RecordBatch.MAX_TIMESTAMP_AT, maxTimestamp);
        whole.putInt(RecordBatch.RECORD_COUNT_AT, count);
        new RecordBatch().at(whole, 0).seal(whole.limit());
        return whole;
    }
}
