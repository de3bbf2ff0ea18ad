package io.millrace.broker.log;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A log as of one moment: its segments, its offsets and its aborted transactions, so that what a reader is given fits
 * together. Any thread may use it. A view that is older than the delay before files are deleted may find them gone
 * ({@code DiskException} of kind {@code MISSING}): ask the log for a new one.
 */
public final class ReadView {
    private final SegmentView[] sealed;
    private final SegmentView active;
    private final EpochHistory epochs;
    private final long startOffset;
    private final long endOffset;
    private final long highWatermark;
    private final long lastStableOffset;

    ReadView(
            SegmentView[] sealed,
            SegmentView active,
            EpochHistory epochs,
            long startOffset,
            long endOffset,
            long highWatermark,
            long lastStableOffset) {
        this.sealed = sealed;
        this.active = active;
        this.epochs = epochs;
        this.startOffset = startOffset;
        this.endOffset = endOffset;
        this.highWatermark = highWatermark;
        this.lastStableOffset = lastStableOffset;
    }

    public long startOffset() {
        return startOffset;
    }

    public long endOffset() {
        return endOffset;
    }

    public long highWatermark() {
        return highWatermark;
    }

    public long lastStableOffset() {
        return lastStableOffset;
    }

    /** The newest leader epoch, or -1. */
    public int latestEpoch() {
        return epochs.latest();
    }

    /** Where a leader epoch, or the last one before it, ended. */
    public OffsetAndEpoch epochEnd(int epoch) {
        return epochs.endOf(epoch, endOffset);
    }

    /**
     * Whole batches of one segment, from the one that contains {@code fromOffset} (or is the first behind it) on. None of
     * them reaches {@code upToOffset}.
     *
     * @param fromOffset from {@link #startOffset} to {@link #endOffset}
     * @param atLeastOneBatch hand out the first batch even where it alone is larger than {@code maxBytes}
     */
    public Slice read(long fromOffset, int maxBytes, long upToOffset, boolean atLeastOneBatch) {
        long end = Math.min(upToOffset, endOffset);
        for (int i = segmentOf(fromOffset); fromOffset < end && i <= sealed.length; i++) {
            SegmentView segment = segment(i);
            if (segment.baseOffset() >= end) {
                return Slice.EMPTY;
            }
            int from = fromOffset <= segment.baseOffset() ? 0 : segment.positionOf(fromOffset);
            int to = end >= endOf(i) ? segment.sizeBytes() : segment.positionOf(end);
            if (from < to) {
                int limited = limited(segment, from, to, maxBytes, atLeastOneBatch);
                long whole = Math.min(end, endOf(i));
                return segment.slice(from, limited, limited == to ? whole : segment.offsetAt(limited));
            }
        }
        return Slice.EMPTY;
    }

    private static int limited(SegmentView segment, int from, int to, int maxBytes, boolean atLeastOneBatch) {
        if (to - from <= maxBytes) {
            return to;
        }
        int whole = segment.wholeBatches(from, from + Math.max(0, maxBytes));
        return whole == from && atLeastOneBatch ? segment.endOfBatchAt(from) : whole;
    }

    private SegmentView segment(int index) {
        return index < sealed.length ? sealed[index] : active;
    }

    private long endOf(int index) {
        return index < sealed.length ? segment(index + 1).baseOffset() : endOffset;
    }

    /** The index of the last segment that starts at or before an offset. */
    private int segmentOf(long offset) {
        if (offset >= active.baseOffset()) {
            return sealed.length;
        }
        int low = 0;
        int high = sealed.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (sealed[middle].baseOffset() <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** The aborted transactions with records from an offset (inclusive) to an offset (exclusive, at most the stable one). */
    public List<Aborted> aborted(long fromOffset, long toOffset) {
        return abortedEntries(fromOffset, toOffset).stream()
                .map(entry -> new Aborted(entry.producerId(), entry.firstOffset()))
                .toList();
    }

    List<AbortedIndex.Entry> abortedEntries(long fromOffset, long toOffset) {
        List<AbortedIndex.Entry> found = new ArrayList<>();
        for (int i = segmentOf(fromOffset); i <= sealed.length; i++) {
            if (segment(i).aborted().collect(fromOffset, toOffset, found)) {
                break;
            }
        }
        return found;
    }

    /** The first record that is not earlier than a timestamp. */
    public Optional<TimestampAndOffset> offsetForTime(long timestampMs) {
        for (int i = segmentOf(startOffset); i <= sealed.length; i++) {
            Optional<TimestampAndOffset> found = segment(i).firstSince(timestampMs, startOffset);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** The latest record by timestamp, the first of them where there are several. */
    public Optional<TimestampAndOffset> maxTimestamp() {
        List<TimestampAndOffset> latest = new ArrayList<>();
        for (int i = segmentOf(startOffset); i <= sealed.length; i++) {
            TimestampAndOffset candidate = segment(i).latest();
            if (candidate != null && candidate.offset() >= startOffset) {
                latest.add(candidate);
            }
        }
        return latest.stream()
                .map(TimestampAndOffset::timestampMs)
                .max(Comparator.naturalOrder())
                .flatMap(this::offsetForTime);
    }
}
