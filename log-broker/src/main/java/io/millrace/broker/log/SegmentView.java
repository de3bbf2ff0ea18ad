package io.millrace.broker.log;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One segment as of one moment, for reading on any thread. */
public final class SegmentView {
    private final long baseOffset;
    private final LazyFile log;
    private final OffsetIndex offsets;
    private final TimeIndex times;
    private final AbortedIndex aborted;
    private final Soundness soundness;
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
        soundness = segment.soundness();
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

    Soundness soundness() {
        return soundness;
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
        return end <= start ? Slice.EMPTY : new Slice(log.retained(), start, end - start, upToOffset, this);
    }

    /**
     * Reads batches through, from the start of one to the end of another; null where all are sound.
     *
     * @param upToOffset none of them reaches it: offsets are not under the checksum
     */
    Damage firstDamage(int from, int to, long upToOffset) {
        BatchCursor cursor = new BatchCursor(log, from, to, BatchCursor.LONG);
        long next = baseOffset;
        while (cursor.next()) {
            RecordBatch batch = cursor.batch();
            if (batch.baseOffset() < next || batch.lastOffset() >= upToOffset) {
                return damage(next, cursor.position(), "a batch of offset " + batch.baseOffset());
            }
            if (!cursor.checksumOk()) {
                return damage(batch.baseOffset(), cursor.position(), "a wrong checksum");
            }
            next = batch.lastOffset() + 1;
        }
        if (cursor.problem() != null) {
            return damage(next, cursor.nextPosition(), cursor.problem());
        }
        soundness.checked(from, to);
        return null;
    }

    private static Damage damage(long offset, int position, String what) {
        return new Damage(offset, position, Damage.NOT_ASKED, what);
    }

    /**
     * Reads all of the segment and tells all damages of it.
     *
     * @param endOffset of the segment
     */
    List<Damage> damages(long endOffset) {
        List<Damage> found = new ArrayList<>();
        int from = 0;
        while (from < sizeBytes()) {
            Damage first = firstDamage(from, sizeBytes(), endOffset);
            if (first == null) {
                break;
            }
            from = positionBehind(first);
            long next = from < sizeBytes() ? offsetAt(from) : endOffset;
            found.add(new Damage(first.offset(), first.position(), next, first.what()));
        }
        return found;
    }

    ByteBuffer batchAt(int position) {
        BatchCursor cursor = new BatchCursor(log, position, sizeBytes(), BatchCursor.SHORT);
        cursor.next();
        return cursor.content().bytes();
    }

    /** Where the first sound batch behind a damage begins. Its length may be wrong, too: so every position is looked at. */
    int positionBehind(Damage damage) {
        int at = damage.position() + 1;
        while (at < sizeBytes() && !isSoundAt(at, damage)) {
            at++;
        }
        return at;
    }

    private boolean isSoundAt(int position, Damage damage) {
        BatchCursor cursor = new BatchCursor(log, position, sizeBytes(), RecordBatch.OVERHEAD);
        return cursor.next() && cursor.batch().baseOffset() >= damage.offset() && cursor.checksumOk();
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
