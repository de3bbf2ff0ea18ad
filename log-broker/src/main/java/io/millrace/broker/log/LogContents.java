package io.millrace.broker.log;

import java.util.List;
import java.util.Optional;

/**
 * What the bytes of a log mean: segments, producers, leader epochs, and where it ends. A leader, a follower and a
 * recovery all take in a batch by the same {@link #apply}.
 */
final class LogContents {
    private final Segments segments;
    private final LeaderEpochs epochs;
    private final Producers producers = new Producers();
    private long endOffset;

    LogContents(Segments segments, LeaderEpochs epochs) {
        this.segments = segments;
        this.epochs = epochs;
    }

    Segments segments() {
        return segments;
    }

    Producers producers() {
        return producers;
    }

    LeaderEpochs epochs() {
        return epochs;
    }

    long endOffset() {
        return endOffset;
    }

    void endOffset(long offset) {
        endOffset = offset;
    }

    /**
     * Takes in a batch whose bytes stand at the end of a segment.
     *
     * @param batch with its records where it is a control batch; otherwise its header is enough
     */
    void apply(RecordBatch batch, Segment segment, int indexIntervalBytes, long nowMs) {
        applyToProducers(batch, nowMs).ifPresent(segment.indexes()::add);
        epochs.assign(batch.leaderEpoch(), batch.baseOffset());
        segment.index(batch, indexIntervalBytes);
        endOffset = batch.lastOffset() + 1;
    }

    private Optional<AbortedIndex.Entry> applyToProducers(RecordBatch batch, long nowMs) {
        Optional<TransactionMarker> marker = batch.control() ? TransactionMarker.of(batch) : Optional.empty();
        return producers.apply(batch, marker, nowMs);
    }

    /** As of now. */
    ReadView view(long startOffset, long highWatermark, long lastStableOffset) {
        SegmentView active = segments.active().view(true);
        return new ReadView(
                segments.sealedViews(),
                active,
                epochs.history(),
                startOffset,
                endOffset,
                highWatermark,
                lastStableOffset);
    }

    List<AbortedIndex.Entry> abortedBetween(long fromOffset, long toOffset) {
        return view(fromOffset, toOffset, toOffset).abortedEntries(fromOffset, toOffset);
    }

    /** Rebuilds the producers as of the log's end from the newest snapshot and the batches behind it. */
    void restoreProducers(Snapshots snapshots, long nowMs) {
        Snapshots.Restored restored = snapshots
                .newest(endOffset)
                .orElseGet(() -> new Snapshots.Restored(segments.first().baseOffset(), List.of()));
        producers.reset(restored.entries(), nowMs);
        if (restored.offset() < endOffset) {
            List<Segment> all = segments.all();
            int first = all.indexOf(segments.containing(restored.offset()));
            all.subList(first, all.size()).forEach(segment -> replay(segment, restored.offset(), nowMs));
        }
    }

    private void replay(Segment segment, long fromOffset, long nowMs) {
        int start = segment.view(true).positionOf(fromOffset);
        BatchCursor cursor = new BatchCursor(segment.log(), start, segment.sizeBytes(), BatchCursor.LONG);
        while (cursor.next()) {
            applyToProducers(cursor.batch().control() ? cursor.content() : cursor.batch(), nowMs);
        }
    }
}
