package io.millrace.broker.log;

import io.millrace.kernel.DiskException;
import java.nio.ByteBuffer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segment that takes the place of some neighbours. Its files change names twice: {@code .cleaned} while they are
 * written, {@code .swap} when they are complete, the log last. From then on a crash ends with the new segment in place,
 * before it with the old ones.
 */
final class CompactedSegment {
    private static final Logger LOG = LoggerFactory.getLogger(CompactedSegment.class);
    private static final int WRITE_BYTES = 64 << 10;

    private final LogFolder folder;
    private final Segment segment;
    private final int indexIntervalBytes;
    private ByteBuffer unwritten = ByteBuffer.allocate(WRITE_BYTES);

    CompactedSegment(LogFolder folder, long baseOffset, int indexIntervalBytes) {
        this.folder = folder;
        this.indexIntervalBytes = indexIntervalBytes;
        for (String index : LogFolder.INDEXES) {
            folder.disk().delete(folder.file(baseOffset, index + LogFolder.CLEANED));
        }
        segment = Segment.create(folder, baseOffset, LogFolder.CLEANED);
    }

    /**
     * Adds a batch.
     *
     * @param aborted the transaction that it aborts; null where it does not
     */
    void add(ByteBuffer batch, AbortedIndex.Entry aborted) {
        if (batch.remaining() > unwritten.remaining()) {
            write();
        }
        if (batch.remaining() > unwritten.capacity()) {
            unwritten = ByteBuffer.allocate(batch.remaining());
        }
        unwritten.put(batch.duplicate());
        if (aborted != null) {
            addAborted(aborted);
        }
    }

    void addAborted(AbortedIndex.Entry entry) {
        segment.indexes().add(entry);
    }

    private void write() {
        unwritten.flip();
        if (unwritten.hasRemaining()) {
            segment.write(unwritten);
            for (RecordBatch batch : new RecordBatches(unwritten)) {
                segment.index(batch, indexIntervalBytes);
            }
        }
        unwritten.clear();
    }

    /** Makes the files complete and safe. */
    void finish() {
        write();
        segment.complete();
        segment.indexes().flushAll();
        segment.files().forEach(LazyFile::force);
    }

    /** From here on there is no way back. */
    void takePlace(List<Segment> old, LogContents contents, Deletions deletions, long deleteAtMs) {
        List<LazyFile> files = segment.files();
        for (int i = files.size() - 1; i >= 0; i--) {
            rename(files.get(i), LogFolder.CLEANED, LogFolder.SWAP);
        }
        old.forEach(segmentBefore -> deletions.schedule(segmentBefore, deleteAtMs));
        for (int i = files.size() - 1; i >= 0; i--) {
            rename(files.get(i), LogFolder.SWAP, "");
        }
        contents.segments().replace(old, segment);
    }

    private void rename(LazyFile file, String from, String to) {
        String name = file.path().getFileName().toString();
        file.moveTo(folder.path().resolve(name.substring(0, name.length() - from.length()) + to));
    }

    /** Files that cannot be deleted now are deleted when this segment is compacted again or the log is opened. */
    void discard() {
        try {
            segment.delete(folder.disk());
        } catch (DiskException e) {
            LOG.debug("{}: cannot delete {} now", folder, segment, e);
        }
    }
}
