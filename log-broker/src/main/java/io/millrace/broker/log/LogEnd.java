package io.millrace.broker.log;

import java.nio.ByteBuffer;
import java.util.List;

/** The end of a log: where it grows, where a new segment begins, and where it is cut. */
final class LogEnd {
    private final LogFolder folder;
    private final LogContents contents;
    private final Snapshots snapshots;
    private final Durability durability;

    LogEnd(LogFolder folder, LogContents contents, Snapshots snapshots, Durability durability) {
        this.folder = folder;
        this.contents = contents;
        this.snapshots = snapshots;
        this.durability = durability;
    }

    /** Appends batches that have their offsets, or throws and leaves everything as it was. */
    void write(ByteBuffer batches, long lastOffset, LogSettings.Segments limits, long nowMs) {
        Segment active = contents.segments().active();
        if (!active.isEmpty() && active.isFull(batches.remaining(), lastOffset, limits)) {
            active = roll();
        }
        if (active.isEmpty()) {
            durability.begun();
        }
        active.write(batches);
        for (RecordBatch batch : new RecordBatches(batches)) {
            contents.apply(batch, active, limits.indexIntervalBytes(), nowMs);
        }
        if (active.openedMs() < 0) {
            active.openedMs(nowMs);
        }
    }

    /** Appends batches that together may be more than a segment holds, in pieces where they are. */
    void writeAll(ByteBuffer batches, long lastOffset, LogSettings.Segments limits, long nowMs) {
        if (batches.remaining() <= limits.maxBytes()) {
            write(batches, lastOffset, limits, nowMs);
            return;
        }
        for (RecordBatch batch : new RecordBatches(batches)) {
            write(batch.bytes(), batch.lastOffset(), limits, nowMs);
        }
    }

    /** Begins a new segment behind one that has records. */
    Segment roll() {
        Segment full = contents.segments().active();
        full.complete();
        Segment fresh = Segment.create(folder, contents.endOffset(), "");
        contents.segments().add(fresh);
        durability.rolled(full);
        return fresh;
    }

    /**
     * Cuts off everything from the batch on that contains an offset. This is on the disk for good before anything new is
     * written: after a power cut, old records must not reappear behind new ones.
     */
    void truncateTo(long offset, long nowMs) {
        Segment last = contents.segments().containing(offset);
        int position = last.view(true).positionOf(offset);
        long end = Math.min(offset, baseOffsetAt(last, position));
        durability.truncating(end);
        List<Segment> behind = contents.segments().removeBehind(last);
        for (int i = behind.size() - 1; i >= 0; i--) {
            durability.removed(behind.get(i));
            behind.get(i).delete(folder.disk());
        }
        folder.force();
        last.truncate(end, position);
        contents.epochs().truncateEnd(end);
        contents.endOffset(end);
        contents.restoreProducers(snapshots, nowMs);
    }

    private static long baseOffsetAt(Segment segment, int position) {
        BatchCursor cursor = new BatchCursor(segment.log(), position, segment.sizeBytes(), RecordBatch.OVERHEAD);
        return cursor.next() ? cursor.batch().baseOffset() : Long.MAX_VALUE;
    }

    /** Throws everything away. */
    void restartAt(long offset, long nowMs) {
        durability.restarted(offset);
        for (Segment segment : contents.segments().all()) {
            contents.segments().remove(segment);
            segment.delete(folder.disk());
        }
        folder.force();
        contents.segments().add(Segment.create(folder, offset, ""));
        contents.epochs().clear();
        contents.endOffset(offset);
        contents.producers().reset(List.of(), nowMs);
    }
}
