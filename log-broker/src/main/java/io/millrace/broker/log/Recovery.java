package io.millrace.broker.log;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the files of an earlier run a log again. After a clean stop it believes what they say. Otherwise it reads every
 * batch from the recovery point on, checks it, rebuilds what is derived from it, and ends the log before the first one
 * that is not whole: what was being written when the process or the power went.
 */
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final int NOT_FOUND = -1;

    private final LogFolder folder;
    private final int indexIntervalBytes;
    private final long nowMs;
    private final Snapshots snapshots;
    private final LogContents contents;

    private final List<Segment> recovered = new ArrayList<>();
    private final Map<Long, byte[]> unwrittenSnapshots = new TreeMap<>();
    private long recoveryPoint;
    private long holesUpTo = Long.MAX_VALUE;
    private long readBytes;
    private long cutBytes;
    private String cutReason;

    Recovery(LogFolder folder, LogSettings settings, long startOffset, long nowMs) {
        this.folder = folder;
        this.nowMs = nowMs;
        indexIntervalBytes = settings.segments().indexIntervalBytes();
        Set<Path> files = Leftovers.tidy(folder);
        snapshots = new Snapshots(folder, LogFolder.offsets(files, LogFolder.SNAPSHOT));
        LeaderEpochs epochs = LeaderEpochs.load(folder, files.contains(LeaderEpochs.file(folder)));
        contents = new LogContents(new Segments(segments(files, startOffset)), epochs);
    }

    private List<Segment> segments(Set<Path> files, long startOffset) {
        List<Segment> segments = new ArrayList<>();
        for (long base : LogFolder.offsets(files, LogFolder.LOG)) {
            segments.add(Segment.existing(folder, base, files));
        }
        if (segments.isEmpty()) {
            segments.add(Segment.unmade(folder, startOffset));
        }
        return segments;
    }

    LogContents contents() {
        return contents;
    }

    Snapshots snapshots() {
        return snapshots;
    }

    /** Below this offset nothing had to be looked at. */
    long recoveryPoint() {
        return recoveryPoint;
    }

    /** The segments that were looked at, which may not be on the disk for good. */
    List<Segment> recovered() {
        return recovered;
    }

    /** Of the producers at the beginning of segments that were looked at. */
    Map<Long, byte[]> unwrittenSnapshots() {
        return unwrittenSnapshots;
    }

    /** There are no files: the log has not begun. */
    void ofNothing() {
        recoveryPoint = contents.segments().first().baseOffset();
        contents.endOffset(recoveryPoint);
    }

    void afterCleanStop() {
        long indexed = indexedUpTo(Long.MAX_VALUE);
        if (indexed < Long.MAX_VALUE) {
            afterCrash(indexed, false);
            return;
        }
        Segment active = contents.segments().active();
        long end = active.baseOffset();
        BatchCursor cursor = new BatchCursor(
                active.log(), active.indexes().lastIndexedPosition(), active.fileBytes(), BatchCursor.SHORT);
        while (cursor.next()) {
            end = cursor.batch().lastOffset() + 1;
        }
        if (cursor.problem() != null) {
            LOG.error("{}: was stopped cleanly, yet ends with {}; checking it", folder, cursor.problem());
            afterCrash(active.baseOffset(), false);
            return;
        }
        active.resumeAt(cursor.nextPosition());
        contents.endOffset(end);
        contents.restoreProducers(snapshots, nowMs);
        recoveryPoint = end;
        noteAge();
    }

    /** Takes the time of a segment's first batch for the time since when it has records. */
    private void noteAge() {
        Segment active = contents.segments().active();
        if (!active.isEmpty()) {
            long firstMs = active.firstTimestamp();
            active.openedMs(firstMs < 0 ? nowMs : Math.min(firstMs, nowMs));
        }
    }

    /**
     * A segment without its indexes is read through, and all behind it: which transactions were aborted is known only to
     * who knows the producers of the batches before.
     */
    private long indexedUpTo(long offset) {
        for (Segment segment : contents.segments().all()) {
            if (segment.lacksIndexes() && segment.baseOffset() < offset) {
                LOG.warn(
                        "{}: segment {} has no index; making it anew, and those behind it",
                        folder,
                        segment.baseOffset());
                return segment.baseOffset();
            }
        }
        return offset;
    }

    /**
     * Nothing is compacted above the recovery point, so there are no holes, unless this replica has copied them from its
     * leader's log. After a power cut they are taken for damage, for the checksum of a batch does not cover its offset: a
     * replica that has lost what it had not forced is not in sync anyway, and copies it again.
     *
     * @param powerCut whether what lies above the recovery point may be anything
     */
    void afterCrash(long writtenRecoveryPoint, boolean powerCut) {
        holesUpTo = powerCut ? writtenRecoveryPoint : Long.MAX_VALUE;
        long from = start(indexedUpTo(writtenRecoveryPoint));
        recoveryPoint = from;
        snapshots.deleteAbove(from);
        contents.producers().reset(entriesAt(from), nowMs);
        contents.epochs().truncateEnd(from);
        contents.endOffset(from);
        List<Segment> all = contents.segments().all();
        Segment first = contents.segments().containing(from);
        recover(first, positionOf(first, from));
        all.subList(all.indexOf(first) + 1, all.size()).forEach(this::recoverOrDrop);
        noteAge();
        report(from);
    }

    /**
     * The newest offset at or below the recovery point whose producers and whose place in its segment are known. Every
     * recovery point has a snapshot, and a truncation deletes those above it: so a recovery point above the newest
     * snapshot was not written down again after a truncation, and does not hold.
     */
    private long start(long writtenRecoveryPoint) {
        long firstBase = contents.segments().first().baseOffset();
        long from = snapshots
                .newest(writtenRecoveryPoint)
                .map(Snapshots.Restored::offset)
                .orElse(firstBase);
        while (from > firstBase) {
            Segment segment = contents.segments().containing(from);
            if (positionOf(segment, from) != NOT_FOUND) {
                return from;
            }
            LOG.warn("{}: segment {} does not reach offset {}; checking all of it", folder, segment.baseOffset(), from);
            from = snapshots
                    .newest(segment.baseOffset())
                    .map(Snapshots.Restored::offset)
                    .filter(older -> older > firstBase)
                    .orElse(firstBase);
        }
        return firstBase;
    }

    private List<ProducerEntry> entriesAt(long offset) {
        return snapshots.newest(offset).map(Snapshots.Restored::entries).orElse(List.of());
    }

    /**
     * Where in a segment the batches from an offset on begin. Below a recovery point nothing is damaged, so a batch whose
     * offset goes back lies above it.
     */
    private int positionOf(Segment segment, long offset) {
        if (offset == segment.baseOffset()) {
            return 0;
        }
        int fileBytes = segment.fileBytes();
        segment.rewind(offset, fileBytes);
        if (segment.lacksIndexes()) {
            return NOT_FOUND;
        }
        segment.indexes().dropUnfounded(segment.log(), fileBytes);
        BatchCursor cursor =
                new BatchCursor(segment.log(), segment.indexes().lastIndexedPosition(), fileBytes, BatchCursor.SHORT);
        long end = segment.baseOffset();
        while (cursor.next()) {
            long base = cursor.batch().baseOffset();
            if (base >= offset || base < end) {
                return cursor.position();
            }
            end = cursor.batch().lastOffset() + 1;
        }
        return end == offset ? cursor.nextPosition() : NOT_FOUND;
    }

    private void recoverOrDrop(Segment segment) {
        if (cutReason == null && segment.baseOffset() != contents.endOffset()) {
            cutReason = "segment " + segment.baseOffset() + " does not follow on offset " + contents.endOffset();
        }
        if (cutReason == null) {
            unwrittenSnapshots.put(
                    segment.baseOffset(),
                    ProducerSnapshot.encode(contents.producers().entries()));
            recover(segment, 0);
        } else {
            cutBytes += segment.fileBytes();
            contents.segments().remove(segment);
            segment.delete(folder.disk());
            folder.force();
        }
    }

    private void recover(Segment segment, int start) {
        int fileBytes = segment.fileBytes();
        segment.rewind(contents.endOffset(), start);
        BatchCursor cursor = new BatchCursor(segment.log(), start, fileBytes, BatchCursor.LONG);
        while (cursor.next() && isSound(cursor, segment)) {
            segment.indexes().flushIfMany();
            contents.apply(
                    cursor.batch().control() ? cursor.content() : cursor.batch(), segment, indexIntervalBytes, nowMs);
        }
        if (start < fileBytes) {
            recovered.add(segment);
        }
        readBytes += fileBytes - start;
        if (cursor.problem() != null) {
            cutReason = cursor.problem();
        }
        if (segment.sizeBytes() < fileBytes) {
            cutBytes += fileBytes - segment.sizeBytes();
            segment.cutForGood();
        }
    }

    private boolean isSound(BatchCursor cursor, Segment segment) {
        RecordBatch batch = cursor.batch();
        if (batch.baseOffset() < contents.endOffset()
                || batch.lastOffset() - segment.baseOffset() > Integer.MAX_VALUE) {
            cutReason = "offset " + batch.baseOffset() + " behind offset " + (contents.endOffset() - 1);
        } else if (batch.baseOffset() > Math.max(contents.endOffset(), holesUpTo)) {
            cutReason = "offset " + batch.baseOffset() + " instead of offset " + contents.endOffset();
        } else if (!cursor.checksumOk()) {
            cutReason = "a wrong checksum";
        }
        return cutReason == null;
    }

    private void report(long from) {
        if (cutReason != null) {
            LOG.warn(
                    "{}: recovered from offset {}, read {} bytes, cut {} bytes at offset {} because of {}",
                    folder,
                    from,
                    readBytes,
                    cutBytes,
                    contents.endOffset(),
                    cutReason);
        } else if (readBytes > 0) {
            LOG.info(
                    "{}: recovered from offset {}, read {} bytes, nothing to cut, ends at offset {}",
                    folder,
                    from,
                    readBytes,
                    contents.endOffset());
        }
    }
}
