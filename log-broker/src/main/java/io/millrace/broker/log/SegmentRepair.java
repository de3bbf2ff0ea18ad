package io.millrace.broker.log;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A segment that is written anew, from batches of the same offsets that somebody else has. Until it is finished, the
 * log is as it was. Used by the log's owner.
 */
public final class SegmentRepair {
    private final LogContents contents;
    private final Deletions deletions;
    private final Segment damaged;
    private final CompactedSegment output;
    private final long endOffset;
    private long nextOffset;
    private boolean over;

    SegmentRepair(
            LogFolder folder,
            LogContents contents,
            Deletions deletions,
            Segment damaged,
            long endOffset,
            int indexIntervalBytes) {
        this.contents = contents;
        this.deletions = deletions;
        this.damaged = damaged;
        this.endOffset = endOffset;
        this.nextOffset = damaged.baseOffset();
        this.output = new CompactedSegment(folder, damaged.baseOffset(), indexIntervalBytes);
    }

    public long startOffset() {
        return damaged.baseOffset();
    }

    /** The first offset that it wants. */
    public long nextOffset() {
        return nextOffset;
    }

    /** The first offset that it does not want. */
    public long endOffset() {
        return endOffset;
    }

    public boolean isComplete() {
        return nextOffset >= endOffset;
    }

    /** Whether it was given up, for what it was to repair is not there any more. */
    public boolean isOver() {
        return over;
    }

    /**
     * Takes in the next batches. There may be holes between them, for compaction leaves them.
     *
     * @throws CorruptBatchException when they are not sound or not the next ones; nothing of that batch is taken
     * @throws io.millrace.kernel.DiskException when they cannot be written
     */
    public void add(ByteBuffer batches) {
        for (RecordBatch batch : new RecordBatches(batches)) {
            if (batch.baseOffset() >= endOffset) {
                nextOffset = endOffset;
                return;
            }
            if (!batch.checksumOk() || batch.baseOffset() < nextOffset || batch.lastOffset() >= endOffset) {
                throw new CorruptBatchException("the " + batch + " does not fit between the offsets " + nextOffset
                        + " and " + endOffset + ", or has a wrong checksum");
            }
            output.add(batch.bytes(), null);
            nextOffset = batch.lastOffset() + 1;
        }
    }

    /** Leaves out what is damaged: takes in what is sound in the segment itself, up to its end. */
    void leaveOutDamages() {
        SegmentView view = damaged.view(false);
        int from = 0;
        for (Damage damage : view.damages(endOffset)) {
            copy(view, from, damage.position());
            nextOffset = damage.nextOffset();
            from = damage.nextOffset() >= endOffset ? view.sizeBytes() : view.positionBehind(damage);
        }
        copy(view, from, view.sizeBytes());
        nextOffset = endOffset;
    }

    private void copy(SegmentView view, int from, int to) {
        for (int at = from; at < to; at = view.endOfBatchAt(at)) {
            add(view.batchAt(at));
        }
    }

    /** Puts the new segment in the place of the old one. */
    public void finish(long deleteOldAtMs) {
        for (AbortedIndex.Entry entry : damaged.indexes().aborted().all()) {
            output.addAborted(entry);
        }
        output.finish();
        over = true;
        output.takePlace(List.of(damaged), contents, deletions, deleteOldAtMs);
    }

    public void abandon() {
        if (!over) {
            over = true;
            output.discard();
        }
    }
}
