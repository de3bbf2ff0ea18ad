package io.millrace.broker.log;

import io.millrace.kernel.DiskException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides when a log is worth compacting, and tries again, later and later, when that fails. */
final class Compactor {
    private static final Logger LOG = LoggerFactory.getLogger(Compactor.class);
    private static final long FIRST_RETRY_MS = 15_000;
    private static final long LAST_RETRY_MS = 600_000;

    private final LogFolder folder;
    private final LogContents contents;
    private final Deletions deletions;
    private final Durability durability;

    private long cleanedOffset;
    private CompactionPass pass;
    private String failure;
    private int failures;
    private long retryAtMs;

    Compactor(LogFolder folder, LogContents contents, Deletions deletions, Durability durability, long cleanedOffset) {
        this.folder = folder;
        this.contents = contents;
        this.deletions = deletions;
        this.durability = durability;
        this.cleanedOffset = cleanedOffset;
    }

    long cleanedOffset() {
        return cleanedOffset;
    }

    CompactionState state() {
        return new CompactionState(cleanedOffset, pass != null, Optional.ofNullable(failure), retryAtMs);
    }

    /**
     * Does a piece of work where there is some.
     *
     * @return whether there is more right now
     */
    boolean step(LogSettings settings, long stableOffset, long nowMs, int budgetBytes) {
        if (!settings.compaction().enabled()) {
            abandon();
            return false;
        }
        if (pass == null && nowMs >= retryAtMs) {
            pass = passDue(settings, stableOffset, nowMs);
        }
        return pass != null && step(nowMs, budgetBytes);
    }

    private boolean step(long nowMs, int budgetBytes) {
        boolean more;
        try {
            more = pass.step(budgetBytes);
        } catch (DiskException | CorruptBatchException e) {
            if (pass.takingPlace()) {
                throw e;
            }
            failed(e, nowMs);
            return false;
        }
        if (!more) {
            LOG.info(
                    "{}: compacted up to offset {}, read {} bytes, wrote {}",
                    folder,
                    pass.mappedUpTo(),
                    pass.readBytes(),
                    pass.writtenBytes());
            cleanedOffset = pass.mappedUpTo();
            pass = null;
            failure = null;
            failures = 0;
        }
        return more;
    }

    private void failed(RuntimeException e, long nowMs) {
        long delayMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS << Math.min(failures, 10));
        failures++;
        failure = e.getMessage();
        retryAtMs = nowMs + delayMs;
        LOG.warn(
                "{}: compaction failed after {} bytes, {} bytes of log wait; trying again in {} ms",
                folder,
                pass.readBytes(),
                contents.segments().sizeBytes(),
                delayMs,
                e);
        abandon();
    }

    /** Before segments leave the log otherwise. */
    void abandon() {
        if (pass != null) {
            CompactionPass given = pass;
            pass = null;
            given.abandon();
        }
    }

    void truncated(long endOffset) {
        cleanedOffset = Math.min(cleanedOffset, endOffset);
    }

    private CompactionPass passDue(LogSettings settings, long stableOffset, long nowMs) {
        Segments segments = contents.segments();
        long dirtyOffset = Math.max(segments.first().baseOffset(), Math.min(cleanedOffset, contents.endOffset()));
        List<Segment> candidates = new ArrayList<>();
        long cleanBytes = 0;
        long dirtyBytes = 0;
        for (Segment segment : segments.sealed()) {
            long end = segments.endOf(segment, contents.endOffset());
            boolean dirty = end > dirtyOffset;
            boolean young = dirty
                    && settings.compaction().minLagMs() > 0
                    && segment.indexes().maxTimestamp()
                            > nowMs - settings.compaction().minLagMs();
            if (end > stableOffset || end > durability.recoveryPoint() || young) {
                break;
            }
            candidates.add(segment);
            cleanBytes += dirty ? 0 : segment.sizeBytes();
            dirtyBytes += dirty ? segment.sizeBytes() : 0;
        }
        boolean due = dirtyBytes > 0
                && (dirtyBytes >= settings.compaction().minDirtyRatio() * (cleanBytes + dirtyBytes)
                        || isOverdue(segments.containing(dirtyOffset), settings, nowMs));
        return due ? new CompactionPass(folder, contents, deletions, settings, candidates, dirtyOffset, nowMs) : null;
    }

    private static boolean isOverdue(Segment firstDirty, LogSettings settings, long nowMs) {
        long firstMs = firstDirty.firstTimestamp();
        return firstMs >= 0 && nowMs - firstMs > settings.compaction().maxLagMs();
    }
}
