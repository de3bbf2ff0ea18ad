package io.millrace.broker.log;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What helps to find something in a segment: by offset, by time, and the aborted transactions that end in it. */
final class SegmentIndexes {
    private final long baseOffset;
    private final boolean missing;
    private final EntryFile offsets;
    private final EntryFile times;
    private final EntryFile aborted;
    private int unindexedBytes;
    private boolean timesLoaded;
    private long maxTimestamp = -1;
    private long maxTimestampOffset = -1;

    /** @param existing the files of the folder */
    SegmentIndexes(LogFolder folder, long baseOffset, String suffix, Set<Path> existing) {
        this.baseOffset = baseOffset;
        Opening opening = (kind, entryBytes) -> {
            LazyFile file = folder.lazy(baseOffset, kind + suffix);
            return new EntryFile(file, entryBytes, !existing.isEmpty() && existing.contains(file.path()));
        };
        offsets = opening.of(LogFolder.OFFSET_INDEX, OffsetIndex.ENTRY_BYTES);
        times = opening.of(LogFolder.TIME_INDEX, TimeIndex.ENTRY_BYTES);
        aborted = opening.of(LogFolder.ABORTED_INDEX, AbortedIndex.ENTRY_BYTES);
        missing = !offsets.exists() || !times.exists();
    }

    private interface Opening {
        EntryFile of(String kind, int entryBytes);
    }

    private List<EntryFile> all() {
        return List.of(offsets, times, aborted);
    }

    List<LazyFile> files() {
        return all().stream().map(EntryFile::file).toList();
    }

    OffsetIndex offsets() {
        return new OffsetIndex(baseOffset, offsets.entries());
    }

    TimeIndex times() {
        return new TimeIndex(baseOffset, times.entries());
    }

    AbortedIndex aborted() {
        return new AbortedIndex(aborted.entries());
    }

    /** Whether the files were not there when the log was opened; where they are missing, there is no telling why. */
    boolean missing() {
        return missing;
    }

    /** The largest timestamp and the last offset of the batch that brought it; null where no batch has a timestamp. */
    TimestampAndOffset latest() {
        loadTimes();
        return maxTimestamp < 0 ? null : new TimestampAndOffset(maxTimestamp, maxTimestampOffset, -1);
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

    boolean isFull(int maxBytes) {
        return (offsets.count() + 1) * OffsetIndex.ENTRY_BYTES > maxBytes
                || (times.count() + 2) * TimeIndex.ENTRY_BYTES > maxBytes;
    }

    void flushIfMany() {
        all().forEach(EntryFile::flushIfMany);
    }

    void add(RecordBatch batch, int position, int intervalBytes) {
        loadTimes();
        if (batch.maxTimestamp() > maxTimestamp) {
            maxTimestamp = batch.maxTimestamp();
            maxTimestampOffset = batch.lastOffset();
        }
        if (unindexedBytes > intervalBytes) {
            OffsetIndex.add(offsets, (int) (batch.lastOffset() - baseOffset), position);
            addLatest();
            unindexedBytes = 0;
        }
        unindexedBytes += batch.sizeBytes();
    }

    private void addLatest() {
        ByteBuffer last = times.last();
        if (maxTimestamp >= 0 && (last == null || TimeIndex.timestamp(last) < maxTimestamp)) {
            TimeIndex.add(times, maxTimestamp, (int) (maxTimestampOffset - baseOffset));
        }
    }

    void add(AbortedIndex.Entry transaction) {
        transaction.addTo(aborted);
    }

    /** Writes what is in memory, so that the files say all there is to know. */
    void flush() {
        loadTimes();
        addLatest();
        offsets.complete();
        times.complete();
        aborted.flush();
    }

    /** Writes every file, even an empty one, so that which of them exist says nothing about the content. */
    void flushAll() {
        flush();
        aborted.complete();
    }

    boolean isUnforced() {
        return all().stream().anyMatch(EntryFile::isUnforced);
    }

    List<LazyFile> takeUnforced() {
        List<LazyFile> files = new ArrayList<>();
        for (EntryFile index : all()) {
            if (index.takeUnforced()) {
                files.add(index.file());
            }
        }
        return files;
    }

    /**
     * Keeps the entries of batches before an offset that starts at a position. Those behind it, and any nonsense a power
     * cut may have left there, go.
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
        aborted.keepWhile(entry ->
                markers.accepts(AbortedIndex.lastOffset(entry)) && AbortedIndex.isPlausible(entry, baseOffset));
        timesLoaded = false;
        resumeAt(position);
    }

    /**
     * Drops the newest entries until one that the segment's batches bear out. What was added since the last checkpoint is
     * of batches behind the recovery point, but a power cut may have turned it into something that claims to be older:
     * who believed that would skip records.
     */
    void dropUnfounded(LazyFile log, int fileBytes) {
        offsets.dropLastUntil(entry -> batchEndingAt(
                        baseOffset + OffsetIndex.relativeOffset(entry), OffsetIndex.position(entry), log, fileBytes)
                .isPresent());
        times.dropLastUntil(entry -> batchEndingAt(baseOffset + TimeIndex.relativeOffset(entry), log, fileBytes)
                .filter(batch -> batch.maxTimestamp() == TimeIndex.timestamp(entry))
                .isPresent());
        aborted.dropLastUntil(entry -> batchEndingAt(AbortedIndex.lastOffset(entry), log, fileBytes)
                .filter(batch -> batch.control() && batch.producerId() == AbortedIndex.producerId(entry))
                .isPresent());
        timesLoaded = false;
    }

    private Optional<RecordBatch> batchEndingAt(long offset, LazyFile log, int fileBytes) {
        return batchEndingAt(offset, offsets().atOrBefore(offset), log, fileBytes);
    }

    private static Optional<RecordBatch> batchEndingAt(long offset, int from, LazyFile log, int fileBytes) {
        BatchCursor cursor = new BatchCursor(log, from, fileBytes, BatchCursor.SHORT);
        while (cursor.next()) {
            if (cursor.batch().lastOffset() >= offset) {
                return Optional.of(cursor.batch()).filter(batch -> batch.lastOffset() == offset);
            }
        }
        return Optional.empty();
    }

    /** The segment goes on at a position. What must be known of the files for that is read here, not by the first view. */
    void resumeAt(int position) {
        loadTimes();
        unindexedBytes = position - lastIndexedPosition();
    }

    int lastIndexedPosition() {
        ByteBuffer last = offsets.last();
        return last == null ? 0 : OffsetIndex.position(last);
    }
}
