package io.millrace.broker.log;

import java.util.List;
import java.util.Map;

/**
 * Makes the records of a log up to one offset survive a power cut, and nothing else: the shortest way to an
 * acknowledgement. The log is not touched, so this may {@link #run} on any thread while its owner goes on appending; the
 * owner then calls {@link PartitionLog#completeForce}.
 */
public final class Forcing {
    private final LogFolder changedFolder;
    private final List<LazyFile> files;
    private final Map<Segment, Integer> sizes;
    private final long offset;

    /**
     * @param changedFolder null where no file has come or gone
     * @param sizes of the segments whose records are forced, at this moment
     */
    Forcing(LogFolder changedFolder, List<LazyFile> files, Map<Segment, Integer> sizes, long offset) {
        this.changedFolder = changedFolder;
        this.files = files;
        this.sizes = sizes;
        this.offset = offset;
    }

    /** Returns when everything below {@link #offset} survives a power cut. */
    public void run() {
        if (changedFolder != null) {
            changedFolder.force();
        }
        files.forEach(LazyFile::forceUnlessGone);
    }

    public long offset() {
        return offset;
    }

    Map<Segment, Integer> sizes() {
        return sizes;
    }
}
