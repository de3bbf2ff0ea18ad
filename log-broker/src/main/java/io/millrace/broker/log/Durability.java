package io.millrace.broker.log;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What of a log is not known to survive a power cut, and the point up to which everything is. */
final class Durability {
    private final LogFolder folder;
    private final LogContents contents;
    private final Snapshots snapshots;
    private final Set<Segment> unforced = new LinkedHashSet<>();
    private final TreeMap<Long, byte[]> unwrittenSnapshots = new TreeMap<>();
    private boolean folderChanged = true;
    private long recoveryPoint;
    private Checkpointing underWay;
    private Forcing forcing;

    Durability(LogFolder folder, Recovery recovery) {
        this.folder = folder;
        contents = recovery.contents();
        snapshots = recovery.snapshots();
        recoveryPoint = recovery.recoveryPoint();
        unforced.addAll(recovery.recovered());
        unwrittenSnapshots.putAll(recovery.unwrittenSnapshots());
    }

    long recoveryPoint() {
        return recoveryPoint;
    }

    /** The first write to a segment makes its file, where it is not there yet. */
    void begun() {
        folderChanged = true;
    }

    /** The active segment has been followed by a new one; what the producers are there is worth keeping. */
    void rolled(Segment sealed) {
        unforced.add(sealed);
        unwrittenSnapshots.put(contents.endOffset(), snapshot());
        folderChanged = true;
    }

    private byte[] snapshot() {
        return ProducerSnapshot.encode(contents.producers().entries());
    }

    /**
     * What is not known to be on the disk. It stays unknown until {@link #complete(Forcing)}, so that a checkpoint that
     * ends earlier does not count on it.
     */
    Forcing beginForce() {
        List<LazyFile> files = new ArrayList<>(underWay == null ? List.of() : underWay.files());
        Map<Segment, Integer> sizes = new LinkedHashMap<>();
        unforced.forEach(segment -> segment.addUnforcedLog(files, sizes));
        contents.segments().active().addUnforcedLog(files, sizes);
        forcing = new Forcing(folderChanged ? folder : null, files, sizes, contents.endOffset());
        folderChanged = false;
        return forcing;
    }

    /** Means nothing where the log was truncated meanwhile. @return whether it means something */
    boolean complete(Forcing done) {
        if (done != forcing) {
            return false;
        }
        done.sizes().forEach(Segment::logForcedUpTo);
        return true;
    }

    /** Whether a checkpoint would change nothing, or nothing worth making a folder for. */
    boolean isIdle() {
        return !folder.isMade() || isAllWritten();
    }

    private boolean isAllWritten() {
        return recoveryPoint == contents.endOffset()
                && underWay == null
                && unforced.isEmpty()
                && unwrittenSnapshots.isEmpty()
                && !contents.segments().active().isUnforced()
                && !contents.epochs().isChanged();
    }

    Checkpointing begin() {
        boolean isIdle = isIdle();
        cancelUnderWay();
        List<LazyFile> files = new ArrayList<>(underWay == null ? List.of() : underWay.files());
        unforced.add(contents.segments().active());
        flushIndexes();
        unforced.forEach(segment -> files.addAll(segment.takeUnforced()));
        long end = contents.endOffset();
        Map<Long, byte[]> toWrite = new TreeMap<>(unwrittenSnapshots);
        byte[] epochs = null;
        if (!isIdle) {
            toWrite.put(end, snapshot());
            epochs = contents.epochs().takeChanged();
        }
        unforced.clear();
        underWay = new Checkpointing(folder, end, files, toWrite, epochs);
        return underWay;
    }

    private void flushIndexes() {
        for (Segment segment : unforced) {
            if (!segment.isEmpty()) {
                segment.indexes().flush();
            }
        }
    }

    /** Means nothing where the log was truncated or another one was begun meanwhile. */
    void complete(Checkpointing done) {
        if (done != underWay) {
            return;
        }
        underWay = null;
        if (done.isCancelled()) {
            return;
        }
        done.snapshots().keySet().forEach(snapshots::written);
        unwrittenSnapshots.keySet().removeAll(done.snapshots().keySet());
        recoveryPoint = Math.max(recoveryPoint, done.offset());
        contents.segments().restForced();
        snapshots.prune(contents.segments());
    }

    /** Before the log loses everything from an offset on. */
    void truncating(long offset) {
        forcing = null;
        cancelUnderWay();
        snapshots.deleteAbove(offset);
        unwrittenSnapshots.tailMap(offset, false).clear();
        recoveryPoint = Math.min(recoveryPoint, offset);
    }

    /** A log that has lost all it had begins anew. */
    void restarted(long offset) {
        forcing = null;
        cancelUnderWay();
        snapshots.deleteAll();
        unwrittenSnapshots.clear();
        unforced.clear();
        folderChanged = true;
        recoveryPoint = offset;
    }

    /** What it was to force is still to be forced; what it has written may have to be deleted. */
    private void cancelUnderWay() {
        if (underWay != null) {
            if (underWay.cancel()) {
                underWay.snapshots().keySet().forEach(snapshots::written);
            }
            if (underWay.hasEpochs()) {
                contents.epochs().stillChanged();
            }
        }
    }

    void removed(Segment segment) {
        unforced.remove(segment);
    }
}
