package io.millrace.broker.log;

import io.millrace.kernel.Disk;
import io.millrace.kernel.DiskException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A stretch of the log in one file, with its indexes. Only the last segment of a log grows; what an earlier one knows of
 * itself is read from its files when it is asked.
 */
final class Segment {
    private final long baseOffset;
    private final LazyFile log;
    private final boolean indexMissing;
    private final EntryFile offsets;
    private final EntryFile times;
    private final EntryFile aborted;
    private final RecentBatches recent = new RecentBatches();

    private int sizeBytes;
    private boolean unforced;
    private boolean torn;
    private int unindexedBytes;
    private boolean timesLoaded;
    private long maxTimestamp = -1;
    private long maxTimestampOffset = -1;
    private long openedMs = -1;

    private Segment(LogFolder folder, long baseOffset, String suffix, Set<Path> existing) {
        this.baseOffset = baseOffset;
        log = folder.lazy(baseOffset, LogFolder.LOG + suffix);
        Index index = (kind, entryBytes) -> {
            LazyFile file = folder.lazy(baseOffset, kind + suffix);
            return new EntryFile(file, entryBytes, existing.contains(file.path()));
        };
        offsets = index.of(LogFolder.OFFSET_INDEX, OffsetIndex.ENTRY_BYTES);
        times = index.of(LogFolder.TIME_INDEX, TimeIndex.ENTRY_BYTES);
        aborted = index.of(LogFolder.ABORTED_INDEX, AbortedIndex.ENTRY_BYTES);
        indexMissing = !existing.contains(offsets.file().path())
                || !existing.contains(times.file().path());
    }

    private interface Index {
        EntryFile of(String kind, int entryBytes);
    }

    /**
     * A new segment; its log file is made at once.
     *
     * @param suffix {@link LogFolder#CLEANED} or nothing
     */
    static Segment create(LogFolder folder, long baseOffset, String suffix) {
        Segment segment = new Segment(folder, baseOffset, suffix, Set.of());
        segment.log.truncate(0);
        segment.timesLoaded = true;
        segment.unforced = true;
        return segment;
    }

    /**
     * A segment from an earlier run.
     *
     * @param existing the files of the folder
     */
    static Segment existing(LogFolder folder, long baseOffset, Set<Path> existing) {
        Segment segment = new Segment(folder, baseOffset, "", existing);
        segment.sizeBytes = Entries.NOT_ASKED;
        return segment;
    }

    long baseOffset() {
        return baseOffset;
    }

    LazyFile log() {
        return log;
    }

    OffsetIndex offsetIndex() {
        return new OffsetIndex(baseOffset, offsets.entries());
    }

    TimeIndex timeIndex() {
        return new TimeIndex(baseOffset, times.entries());
    }

    AbortedIndex abortedIndex() {
        return new AbortedIndex(aborted.entries());
    }

    int sizeBytes() {
        if (sizeBytes == Entries.NOT_ASKED) {
            sizeBytes = Math.toIntExact(log.size());
        }
        return sizeBytes;
    }

    boolean isEmpty() {
        return sizeBytes() == 0;
    }

    /** Since when this segment has records, by the broker's clock; -1 while it has none. */
    long openedMs() {
        return openedMs;
    }

    void openedMs(long ms) {
        openedMs = ms;
    }

    long maxTimestamp() {
        loadTimes();
        return maxTimestamp;
    }

    private void loadTimes() {
        if (!timesLoaded) {
            timesLoaded = true;
            ByteBuffer last = times.last();
            maxTimestamp = last == null ? -1 : TimeIndex.timestamp(last);
            maxTimestampOffset = last == null ? -1 : baseOffset + TimeIndex.relativeOffset(last);
        }
    }

    /** Whether one more batch would not fit. */
    boolean isFull(int batchBytes, long lastOffset, LogSettings.Segments limits) {
        return (long) sizeBytes() + batchBytes > limits.maxBytes()
                || lastOffset - baseOffset > Integer.MAX_VALUE
                || (offsets.count() + 1) * OffsetIndex.ENTRY_BYTES > limits.maxIndexBytes()
                || (times.count() + 2) * TimeIndex.ENTRY_BYTES > limits.maxIndexBytes();
    }

    /** Does now what could fail, so that {@link #index} cannot. */
    void makeRoomInIndexes() {
        offsets.flushIfMany();
        times.flushIfMany();
        aborted.flushIfMany();
    }

    /**
     * Puts bytes behind the end; they count once {@link #index} has been told of them. When it fails, the file is as it
     * was, or will be before the next write.
     */
    void write(ByteBuffer batches) {
        if (torn) {
            cutBehindEnd();
        }
        unforced = true;
        try {
            log.write(sizeBytes(), batches.duplicate());
        } catch (DiskException e) {
            torn = true;
            cutAfter(e);
            throw e;
        }
    }

    private void cutAfter(DiskException failure) {
        try {
            cutBehindEnd();
        } catch (DiskException e) {
            failure.addSuppressed(e);
        }
    }

    /** Cuts off whatever stands behind the end. */
    void cutBehindEnd() {
        log.truncate(sizeBytes());
        torn = false;
    }

    /** Takes note of the next batch. */
    void index(RecordBatch batch, int indexIntervalBytes) {
        loadTimes();
        int position = sizeBytes();
        if (batch.maxTimestamp() > maxTimestamp) {
            maxTimestamp = batch.maxTimestamp();
            maxTimestampOffset = batch.lastOffset();
        }
        int relativeLastOffset = (int) (batch.lastOffset() - baseOffset);
        if (unindexedBytes > indexIntervalBytes) {
            OffsetIndex.add(offsets, relativeLastOffset, position);
            indexLatest();
            unindexedBytes = 0;
        }
        unindexedBytes += batch.sizeBytes();
        recent.add(relativeLastOffset, position);
        sizeBytes = position + batch.sizeBytes();
    }

    void add(AbortedIndex.Entry transaction) {
        transaction.addTo(aborted);
    }

    private void indexLatest() {
        ByteBuffer last = times.last();
        if (maxTimestamp >= 0 && (last == null || TimeIndex.timestamp(last) < maxTimestamp)) {
            TimeIndex.add(times, maxTimestamp, (int) (maxTimestampOffset - baseOffset));
        }
    }

    /** Writes what the indexes have in memory, so that the files say all there is to know. */
    void flushIndexes() {
        loadTimes();
        indexLatest();
        offsets.complete();
        times.complete();
        aborted.flush();
    }

    /** Makes this a segment that does not grow any more. */
    void complete() {
        flushIndexes();
        recent.clear();
    }

    /** Writes every index, even an empty one, so that which of them exist says nothing about the content. */
    void completeAllIndexes() {
        complete();
        aborted.complete();
    }

    /** The largest timestamp of the first batch; -1 where there is none. */
    long firstTimestamp() {
        BatchCursor cursor = new BatchCursor(log, 0, sizeBytes(), RecordBatch.OVERHEAD);
        return cursor.next() ? cursor.batch().maxTimestamp() : -1;
    }

    /** The files written since this was last asked. */
    List<LazyFile> takeUnforced() {
        List<LazyFile> files = new ArrayList<>();
        if (takeUnforcedLog()) {
            files.add(log);
        }
        for (EntryFile index : List.of(offsets, times, aborted)) {
            if (index.takeUnforced()) {
                files.add(index.file());
            }
        }
        return files;
    }

    private boolean takeUnforcedLog() {
        boolean was = unforced;
        unforced = false;
        return was;
    }

    /** Makes the records survive a power cut; the indexes can be rebuilt from them. */
    void forceLog() {
        if (unforced) {
            log.force();
            unforced = false;
        }
    }

    /** Cuts behind the end such that after a power cut, too, nothing of it appears behind new records. */
    void cutForGood() {
        cutBehindEnd();
        log.force();
    }

    /**
     * Makes a position the end.
     *
     * @param offset of the batch that starts there
     */
    void truncate(long offset, int position) {
        rewind(offset, position);
        cutForGood();
    }

    /**
     * Makes a position the end for as long as what is behind it has not been looked at. Index entries of batches before
     * it are kept; others, and any nonsense a power cut may have left behind them, go.
     */
    void rewind(long offset, int position) {
        Ascending relativeOffsets = new Ascending(offset - baseOffset);
        Ascending positions = new Ascending(position);
        offsets.keepWhile(entry -> relativeOffsets.accepts(OffsetIndex.relativeOffset(entry))
                && positions.accepts(OffsetIndex.position(entry)));
        Ascending timestamps = new Ascending(Long.MAX_VALUE);
        times.keepWhile(entry -> timestamps.accepts(TimeIndex.timestamp(entry))
                && TimeIndex.relativeOffset(entry) < offset - baseOffset);
        Ascending markers = new Ascending(offset);
        aborted.keepWhile(entry -> markers.accepts(AbortedIndex.lastOffset(entry)));
        unforced = true;
        timesLoaded = false;
        recent.clear();
        resumeAt(position);
    }

    /** Makes a position the end, as the indexes know it already. */
    void resumeAt(int position) {
        sizeBytes = position;
        unindexedBytes = position - lastIndexedPosition();
    }

    int lastIndexedPosition() {
        ByteBuffer last = offsets.last();
        return last == null ? 0 : OffsetIndex.position(last);
    }

    /** Whether records have been here whose index is not. */
    boolean lacksIndexes() {
        return indexMissing && sizeBytes() > 0;
    }

    /** The size of the file, which may be more than what counts of it. */
    int fileBytes() {
        return Math.toIntExact(log.size());
    }

    /** @param growing whether the end may still move, so that the view must remember where it is now */
    SegmentView view(boolean growing) {
        if (!growing) {
            return new SegmentView(this, RecentBatches.View.NONE, null, sizeBytes);
        }
        loadTimes();
        TimestampAndOffset latest =
                maxTimestamp < 0 ? null : new TimestampAndOffset(maxTimestamp, maxTimestampOffset, -1);
        return new SegmentView(this, recent.view(), latest, sizeBytes());
    }

    /** Before both are made anew from the batches. */
    void forgetOffsetsAndTimes() {
        offsets.truncate(0);
        times.truncate(0);
        recent.clear();
        timesLoaded = false;
        resumeAt(0);
    }

    /** For a segment that no reader needs any more. */
    void delete(Disk disk) {
        for (LazyFile file : files()) {
            file.close();
            disk.delete(file.path());
        }
    }

    /** Lets go of the files, which stay where they are. */
    void close() {
        files().forEach(LazyFile::close);
    }

    /** The log comes first: without it the others are nothing. */
    List<LazyFile> files() {
        return List.of(log, offsets.file(), times.file(), aborted.file());
    }

    @Override
    public String toString() {
        return log.toString();
    }
}
