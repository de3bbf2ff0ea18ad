package io.millrace.broker.log;

import java.nio.ByteBuffer;
import java.util.Optional;

/** One segment as of one moment, for reading on any thread. */
final class SegmentView {
    private final long baseOffset;
    private final LazyFile log;
    private final OffsetIndex offsets;
    private final TimeIndex times;
    private final AbortedIndex aborted;
    private final RecentBatches.View recent;
    private final TimestampAndOffset latest;
    private int sizeBytes;

    /**
     * @param latest the largest timestamp and the last offset of its batch; null where the last entry of the time index
     *     says it
     * @param sizeBytes {@link Entries#NOT_ASKED} where the file is complete and its size tells
     */
    SegmentView(Segment segment, RecentBatches.View recent, TimestampAndOffset latest, int sizeBytes) {
        baseOffset = segment.baseOffset();
        log = segment.log();
        offsets = segment.indexes().offsets();
        times = segment.indexes().times();
        aborted = segment.indexes().aborted();
        this.recent = recent;
        this.latest = latest;
        this.sizeBytes = sizeBytes;
    }

    long baseOffset() {
        return baseOffset;
    }

    /** Threads that race here find the same answer. */
    int sizeBytes() {
        if (sizeBytes == Entries.NOT_ASKED) {
            sizeBytes = Math.toIntExact(log.size());
        }
        return sizeBytes;
    }

    AbortedIndex aborted() {
        return aborted;
    }

    /** Where the batch starts that contains an offset or is the first behind it; the segment's end where there is none. */
    int positionOf(long offset) {
        int known = recent.positionOf(offset - baseOffset, sizeBytes());
        if (known != RecentBatches.View.UNKNOWN) {
            return known;
        }
        BatchCursor cursor = cursorFrom(offsets.atOrBefore(offset));
        while (cursor.next()) {
            if (cursor.batch().lastOffset() >= offset) {
                return cursor.position();
            }
        }
        return cursor.nextPosition();
    }

    private BatchCursor cursorFrom(int position) {
        return new BatchCursor(log, position, sizeBytes(), BatchCursor.SHORT);
    }

    /** The end of the last whole batch at or before a limit; {@code start} where not even the first one fits. */
    int wholeBatches(int start, int limit) {
        if (limit >= sizeBytes()) {
            return sizeBytes();
        }
        int known = recent.startAtOrBefore(limit);
        if (known != RecentBatches.View.UNKNOWN) {
            return Math.max(start, known);
        }
        BatchCursor cursor = cursorFrom(Math.max(start, offsets.atOrBeforePosition(limit)));
        int end = cursor.nextPosition();
        while (cursor.next() && cursor.nextPosition() <= limit) {
            end = cursor.nextPosition();
        }
        return end;
    }

    /** The end of the batch that starts at a position. */
    int endOfBatchAt(int position) {
        BatchCursor cursor = new BatchCursor(log, position, sizeBytes(), RecordBatch.OVERHEAD);
        cursor.next();
        return cursor.nextPosition();
    }

    Slice slice(int start, int end, long upToOffset) {
        return end <= start ? Slice.EMPTY : new Slice(log.retained(), start, end - start, upToOffset);
    }

    /** The first offset of the batch that begins at a position. */
    long offsetAt(int position) {
        BatchCursor cursor = new BatchCursor(log, position, sizeBytes(), RecordBatch.OVERHEAD);
        return cursor.next() ? cursor.batch().baseOffset() : Long.MAX_VALUE;
    }

    /** The largest timestamp and the last offset of the batch that has it; null where no record has a timestamp. */
    TimestampAndOffset latest() {
        if (latest != null) {
            return latest;
        }
        Entries entries = times.entries();
        ByteBuffer last = entries.count() == 0 ? null : entries.get(entries.count() - 1);
        return last == null
                ? null
                : new TimestampAndOffset(TimeIndex.timestamp(last), baseOffset + TimeIndex.relativeOffset(last), -1);
    }

    /** The first record at or behind an offset that is not earlier than a timestamp. */
    Optional<TimestampAndOffset> firstSince(long timestamp, long fromOffset) {
        TimestampAndOffset max = latest();
        if (max == null || max.timestampMs() < timestamp) {
            return Optional.empty();
        }
        BatchCursor cursor = cursorFrom(positionOf(Math.max(fromOffset, times.firstCandidate(timestamp))));
        while (cursor.next()) {
            if (cursor.batch().maxTimestamp() >= timestamp) {
                Optional<TimestampAndOffset> found = firstSince(timestamp, fromOffset, cursor.content());
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<TimestampAndOffset> firstSince(long timestamp, long fromOffset, RecordBatch batch) {
        RecordReader records = new RecordReader(batch);
        while (records.next()) {
            if (records.timestamp() >= timestamp && records.offset() >= fromOffset) {
                return Optional.of(new TimestampAndOffset(records.timestamp(), records.offset(), batch.leaderEpoch()));
            }
        }
        return Optional.empty();
    }
}
