package io.millrace.broker.log;

import io.millrace.kernel.Disk;
import io.millrace.kernel.DiskException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A stretch of the log in one file, with its indexes. Only the last segment of a log grows; what an earlier one knows of
 * itself is read from its files when it is asked.
 */
final class Segment {
    private final LogFolder folder;
    private final long baseOffset;
    private final LazyFile log;
    private final SegmentIndexes indexes;
    private final Soundness soundness;
    private final RecentBatches recent = new RecentBatches();

    private int sizeBytes;
    /** Whether there is, or has been, something in the files. */
    private boolean touched;

    private boolean unforced;
    private boolean torn;
    private long openedMs = -1;

    private Segment(LogFolder folder, long baseOffset, String suffix, Set<Path> existing, Soundness soundness) {
        this.folder = folder;
        this.baseOffset = baseOffset;
        log = folder.lazy(baseOffset, LogFolder.LOG + suffix);
        this.soundness = soundness;
        indexes = new SegmentIndexes(folder, baseOffset, suffix, existing);
    }

    /** The first segment of a new log; its file is made by the first write. */
    static Segment unmade(LogFolder folder, long baseOffset) {
        return new Segment(folder, baseOffset, "", Set.of(), Soundness.ofNewFile());
    }

    /**
     * A new segment; its log file is made at once, for its name says where the log goes on.
     *
     * @param suffix {@link LogFolder#CLEANED} or nothing
     */
    static Segment create(LogFolder folder, long baseOffset, String suffix) {
        folder.make();
        Segment segment = new Segment(folder, baseOffset, suffix, Set.of(), Soundness.ofNewFile());
        segment.log.truncate(0);
        return segment;
    }

    /**
     * A segment from an earlier run.
     *
     * @param existing the files of the folder
     */
    static Segment existing(LogFolder folder, long baseOffset, Set<Path> existing) {
        Segment segment = new Segment(folder, baseOffset, "", existing, Soundness.ofExistingFile());
        segment.sizeBytes = Entries.NOT_ASKED;
        segment.touched = true;
        return segment;
    }

    long baseOffset() {
        return baseOffset;
    }

    LazyFile log() {
        return log;
    }

    SegmentIndexes indexes() {
        return indexes;
    }

    Soundness soundness() {
        return soundness;
    }

    int sizeBytes() {
        if (sizeBytes == Entries.NOT_ASKED) {
            sizeBytes = fileBytes();
        }
        return sizeBytes;
    }

    /** The size of the file, which may be more than what counts of it. */
    int fileBytes() {
        return touched ? Math.toIntExact(log.size()) : 0;
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

    /** The largest timestamp of the first batch; -1 where there is none. */
    long firstTimestamp() {
        BatchCursor cursor = new BatchCursor(log, 0, sizeBytes(), RecordBatch.OVERHEAD);
        return cursor.next() ? cursor.batch().maxTimestamp() : -1;
    }

    /** Whether there are records whose index is not there. */
    boolean lacksIndexes() {
        return indexes.missing() && sizeBytes() > 0;
    }

    /** Whether one more batch would not fit. */
    boolean isFull(int batchBytes, long lastOffset, LogSettings.Segments limits) {
        return (long) sizeBytes() + batchBytes > limits.maxBytes()
                || lastOffset - baseOffset > Integer.MAX_VALUE
                || indexes.isFull(limits.maxIndexBytes());
    }

    /**
     * Puts bytes behind the end; they count once {@link #index} has been told of them. When it fails, the file is as it
     * was, or will be before the next write.
     */
    void write(ByteBuffer batches) {
        indexes.flushIfMany();
        if (torn) {
            cutBehindEnd();
        }
        folder.make();
        unforced = true;
        touched = true;
        soundness.written(sizeBytes());
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

    private void cutBehindEnd() {
        log.truncate(sizeBytes());
        torn = false;
    }

    /** Cuts behind the end such that after a power cut, too, nothing of it appears behind new records. */
    void cutForGood() {
        cutBehindEnd();
        log.force();
    }

    /** Takes note of the next batch. */
    void index(RecordBatch batch, int indexIntervalBytes) {
        int position = sizeBytes();
        indexes.add(batch, position, indexIntervalBytes);
        recent.add((int) (batch.lastOffset() - baseOffset), position);
        sizeBytes = position + batch.sizeBytes();
    }

    /** Makes this a segment that does not grow any more. */
    void complete() {
        indexes.flush();
        recent.clear();
    }

    /** The files written since this was last asked. */
    List<LazyFile> takeUnforced() {
        List<LazyFile> files = new ArrayList<>(indexes.takeUnforced());
        if (unforced) {
            files.add(log);
            unforced = false;
        }
        return files;
    }

    boolean isUnforced() {
        return unforced || indexes.isUnforced();
    }

    /** Names what must be forced for the records to survive a power cut; the indexes can be rebuilt from them. */
    void addUnforcedLog(List<LazyFile> files, Map<Segment, Integer> sizes) {
        if (unforced) {
            files.add(log);
            sizes.put(this, sizeBytes());
        }
    }

    /** What was written behind this size may still get lost. */
    void logForcedUpTo(int size) {
        if (sizeBytes() == size) {
            unforced = false;
        }
    }

    /**
     * Cuts off the end of the segment.
     *
     * @param offset of the batch that starts at the position
     */
    void truncate(long offset, int position) {
        rewind(offset, position);
        cutForGood();
    }

    /** Makes a position the end for as long as what is behind it has not been looked at. */
    void rewind(long offset, int position) {
        indexes.rewind(offset, position);
        unforced = touched;
        resumeAt(position);
    }

    /** Makes a position the end, as the indexes know it already. */
    void resumeAt(int position) {
        sizeBytes = position;
        recent.clear();
        indexes.resumeAt(position);
    }

    /** @param growing whether the end may still move, so that the view must remember where it is now */
    SegmentView view(boolean growing) {
        return growing
                ? new SegmentView(this, recent.view(), indexes.latest(), sizeBytes())
                : new SegmentView(this, RecentBatches.View.NONE, null, sizeBytes);
    }

    /** For a segment that no reader needs any more. */
    void delete(Disk disk) {
        close();
        files().forEach(file -> disk.delete(file.path()));
    }

    /** Closes the files until somebody needs them. */
    void rest() {
        files().forEach(LazyFile::rest);
    }

    /** Lets go of the files, which stay where they are. */
    void close() {
        files().forEach(LazyFile::close);
    }

    /** The log comes first: without it the others are nothing. */
    List<LazyFile> files() {
        List<LazyFile> files = new ArrayList<>(List.of(log));
        files.addAll(indexes.files());
        return files;
    }

    @Override
    public String toString() {
        return log.toString();
    }
}
