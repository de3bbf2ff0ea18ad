package io.millrace.broker.log;

import java.util.List;
import java.util.Map;

/**
 * The slow part of a checkpoint: forcing what a log has written up to one offset. The log is not touched, so this may
 * {@link #run} on any thread while its owner goes on; the owner then calls {@link PartitionLog#completeCheckpoint}.
 */
public final class Checkpointing {
    private final LogFolder folder;
    private final long offset;
    private final List<LazyFile> files;
    private final Map<Long, byte[]> snapshots;
    private final byte[] epochs;
    private boolean cancelled;
    private boolean written;

    /**
     * @param snapshots of the producers, by offset, ascending
     * @param epochs null where they have not changed
     */
    Checkpointing(LogFolder folder, long offset, List<LazyFile> files, Map<Long, byte[]> snapshots, byte[] epochs) {
        this.folder = folder;
        this.offset = offset;
        this.files = files;
        this.snapshots = snapshots;
        this.epochs = epochs;
    }

    /**
     * Returns when everything below the checkpoint's offset survives a power cut. A snapshot is written only when what it
     * stands for is safe, so that its being there says so.
     */
    public void run() {
        if (snapshots.isEmpty() && files.isEmpty()) {
            return;
        }
        forceFiles();
        folder.force();
        write();
    }

    private synchronized void write() {
        if (cancelled) {
            return;
        }
        written = true;
        if (epochs != null) {
            folder.disk().replace(LeaderEpochs.file(folder), epochs);
        }
        snapshots.forEach((at, content) -> folder.disk().replace(folder.file(at, LogFolder.SNAPSHOT), content));
    }

    /**
     * Nothing that speaks of the log as it was is written from now on.
     *
     * @return whether some of it may have been written before
     */
    synchronized boolean cancel() {
        cancelled = true;
        return written;
    }

    void forceFiles() {
        files.forEach(LazyFile::forceUnlessGone);
    }

    long offset() {
        return offset;
    }

    synchronized boolean isCancelled() {
        return cancelled;
    }

    List<LazyFile> files() {
        return files;
    }

    Map<Long, byte[]> snapshots() {
        return snapshots;
    }

    boolean hasEpochs() {
        return epochs != null;
    }
}
