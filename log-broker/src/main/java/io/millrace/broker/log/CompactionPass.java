package io.millrace.broker.log;

import java.util.ArrayList;
import java.util.List;

/**
 * One go at compacting a log: first the keys of what is dirty are read, then all sealed segments are rewritten without
 * the records that have a successor. It is done in steps, between which the owner does other work; the segments it
 * works on are sealed, so nothing of what it has seen changes meanwhile.
 */
final class CompactionPass {
    /** At 24 to 48 bytes each. What does not fit is left for the next pass. */
    private static final int MAX_KEYS = 1 << 20;

    private final LogFolder folder;
    private final LogContents contents;
    private final Deletions deletions;
    private final LogSettings settings;
    private final long dirtyOffset;
    private final long nowMs;
    private final KeyOffsets keys = new KeyOffsets(MAX_KEYS);
    private final AbortedRanges aborted;
    private final BatchCleaner cleaner;
    private final List<Segment> toRead;
    private final List<List<Segment>> toRewrite;

    private long mappedUpTo;
    private BatchCursor cursor;
    private CompactedSegment output;
    private int inGroup;
    private boolean takingPlace;
    private long readBytes;
    private long writtenBytes;

    /**
     * @param segments all that may be compacted, from the first of the log on
     * @param dirtyOffset below which the last pass has come
     */
    CompactionPass(
            LogFolder folder,
            LogContents contents,
            Deletions deletions,
            LogSettings settings,
            List<Segment> segments,
            long dirtyOffset,
            long nowMs) {
        this.folder = folder;
        this.contents = contents;
        this.deletions = deletions;
        this.settings = settings;
        this.dirtyOffset = dirtyOffset;
        this.nowMs = nowMs;
        long endOffset = endOf(segments.get(segments.size() - 1));
        aborted = new AbortedRanges(contents.abortedBetween(segments.get(0).baseOffset(), endOffset));
        cleaner = new BatchCleaner(
                keys,
                aborted,
                contents.producers().lastOffsets(),
                nowMs,
                settings.compaction().deleteRetentionMs());
        toRead = new ArrayList<>(segments);
        toRead.removeIf(segment -> endOf(segment) <= dirtyOffset);
        toRewrite = groups(segments);
        mappedUpTo = dirtyOffset;
    }

    private long endOf(Segment segment) {
        return contents.segments().endOf(segment, contents.endOffset());
    }

    /** Neighbours that fit into one segment. */
    private List<List<Segment>> groups(List<Segment> segments) {
        List<List<Segment>> groups = new ArrayList<>();
        List<Segment> group = new ArrayList<>();
        long bytes = 0;
        for (Segment segment : segments) {
            bytes += segment.sizeBytes();
            boolean fits = group.isEmpty()
                    || (bytes <= settings.segments().maxBytes()
                            && endOf(segment) - group.get(0).baseOffset() <= Integer.MAX_VALUE);
            if (!fits) {
                groups.add(group);
                group = new ArrayList<>();
                bytes = segment.sizeBytes();
            }
            group.add(segment);
        }
        groups.add(group);
        return groups;
    }

    /** Up to where the log is clean when this has ended. */
    long mappedUpTo() {
        return mappedUpTo;
    }

    long readBytes() {
        return readBytes;
    }

    long writtenBytes() {
        return writtenBytes;
    }

    /**
     * Works through some bytes.
     *
     * @return whether there is more to do
     */
    boolean step(int budgetBytes) {
        int left = budgetBytes;
        while (left > 0 && !toRead.isEmpty()) {
            left -= readKeys();
        }
        while (left > 0 && toRead.isEmpty() && !toRewrite.isEmpty()) {
            left -= rewrite();
        }
        return !toRead.isEmpty() || !toRewrite.isEmpty();
    }

    /** Takes in the keys of the next batch; returns how many bytes that were. */
    private int readKeys() {
        Segment segment = toRead.get(0);
        if (!nextBatch(segment)) {
            mappedUpTo = endOf(segment);
            cursor = null;
            toRead.remove(0);
            return 1;
        }
        RecordBatch batch = soundBatch();
        if (!batch.control() && batch.lastOffset() >= dirtyOffset && !aborted.contains(batch)) {
            RecordReader records = new RecordReader(batch);
            while (records.next()) {
                if (records.key() != null) {
                    keys.put(records.key(), records.offset());
                }
            }
        }
        if (keys.isFull()) {
            mappedUpTo = batch.lastOffset() + 1;
            cursor = null;
            toRead.clear();
        }
        return batch.sizeBytes();
    }

    private boolean nextBatch(Segment segment) {
        if (cursor == null) {
            cursor = new BatchCursor(segment.log(), 0, segment.sizeBytes(), BatchCursor.LONG);
        }
        boolean found = cursor.next();
        if (cursor.problem() != null) {
            throw new CorruptBatchException("segment " + segment.baseOffset() + " has " + cursor.problem()
                    + " at position " + cursor.nextPosition());
        }
        return found;
    }

    private RecordBatch soundBatch() {
        RecordBatch batch = cursor.content();
        if (!batch.checksumOk()) {
            throw new CorruptBatchException("wrong checksum of the " + batch);
        }
        readBytes += batch.sizeBytes();
        return batch;
    }

    /** Rewrites the next batch of the current group; returns how many bytes that were. */
    private int rewrite() {
        List<Segment> group = toRewrite.get(0);
        if (output == null) {
            output = new CompactedSegment(
                    folder, group.get(0).baseOffset(), settings.segments().indexIntervalBytes());
            inGroup = 0;
        }
        if (!nextBatch(group.get(inGroup))) {
            cursor = null;
            inGroup++;
            if (inGroup == group.size()) {
                finishGroup(group);
            }
            return 1;
        }
        RecordBatch batch = soundBatch();
        boolean last = inGroup == group.size() - 1
                && cursor.nextPosition() == group.get(inGroup).sizeBytes();
        var left = cleaner.clean(batch, last);
        if (left != null) {
            writtenBytes += left.remaining();
            output.add(left, batch.control() ? aborted.endingAt(batch.lastOffset()) : null);
        }
        return batch.sizeBytes();
    }

    private void finishGroup(List<Segment> group) {
        output.finish();
        CompactedSegment finished = output;
        output = null;
        toRewrite.remove(0);
        takingPlace = true;
        finished.takePlace(
                group, contents, deletions, nowMs + settings.retention().fileDeleteDelayMs());
        takingPlace = false;
    }

    /** When this fails, only opening the log anew tells what became of its files. */
    boolean takingPlace() {
        return takingPlace;
    }

    /** Gives up; what has been rewritten stays. */
    void abandon() {
        if (output != null) {
            output.discard();
            output = null;
        }
    }
}
