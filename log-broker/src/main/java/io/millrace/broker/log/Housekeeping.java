package io.millrace.broker.log;

import java.util.ArrayList;
import java.util.List;

/** What has to be done from time to time: old segments go, and files whose readers have gone are deleted. */
final class Housekeeping {
    private final LogContents contents;
    private final LogEnd end;
    private final Durability durability;
    private final Deletions deletions;
    private final Compactor compactor;

    Housekeeping(LogContents contents, LogEnd end, Durability durability, Deletions deletions, Compactor compactor) {
        this.contents = contents;
        this.end = end;
        this.durability = durability;
        this.deletions = deletions;
        this.compactor = compactor;
    }

    /** Begins a new segment when the active one has had records for long enough. */
    boolean rollIfDue(LogSettings settings, long nowMs) {
        Segment active = contents.segments().active();
        long maxAgeMs = settings.segments().maxAgeMs();
        if (settings.compaction().enabled()) {
            maxAgeMs = Math.min(maxAgeMs, settings.compaction().maxLagMs());
        }
        boolean due = !active.isEmpty() && nowMs - active.openedMs() >= maxAgeMs;
        if (due) {
            end.roll();
        }
        return due;
    }

    /**
     * Removes what lies below the start offset, is too old or too much; returns the new start offset. What is not below
     * the recovery point stays until it is: until then, only the batches themselves say what their producers had sent.
     */
    long applyRetention(LogSettings settings, long startOffset, long highWatermark, long nowMs) {
        rollIfAllExpired(settings, highWatermark, nowMs);
        long excess = excessBytes(settings);
        List<Segment> leaving = new ArrayList<>();
        for (Segment segment : contents.segments().sealed()) {
            long endOffset = contents.segments().endOf(segment, contents.endOffset());
            boolean unneeded = endOffset <= startOffset
                    || (endOffset <= highWatermark
                            && (isExpired(segment, settings, nowMs) || segment.sizeBytes() <= excess));
            if (!unneeded || endOffset > durability.recoveryPoint()) {
                break;
            }
            excess -= segment.sizeBytes();
            leaving.add(segment);
        }
        remove(leaving, nowMs + settings.retention().fileDeleteDelayMs());
        return Math.max(startOffset, contents.segments().first().baseOffset());
    }

    /** The active segment cannot leave, but when all that is in it is too old, a new one can take its place. */
    private void rollIfAllExpired(LogSettings settings, long highWatermark, long nowMs) {
        Segment active = contents.segments().active();
        if (!active.isEmpty() && contents.endOffset() <= highWatermark && isExpired(active, settings, nowMs)) {
            end.roll();
        }
    }

    private static boolean isExpired(Segment segment, LogSettings settings, long nowMs) {
        LogSettings.Retention retention = settings.retention();
        if (!retention.enabled() || retention.maxAgeMs() < 0) {
            return false;
        }
        long newestMs =
                segment.indexes().maxTimestamp() >= 0 ? segment.indexes().maxTimestamp() : segment.openedMs();
        return newestMs >= 0 && nowMs - newestMs > retention.maxAgeMs();
    }

    private long excessBytes(LogSettings settings) {
        LogSettings.Retention retention = settings.retention();
        return retention.enabled() && retention.maxBytes() >= 0
                ? contents.segments().sizeBytes() - retention.maxBytes()
                : -1;
    }

    private void remove(List<Segment> leaving, long deleteAtMs) {
        if (!leaving.isEmpty()) {
            compactor.abandon();
        }
        for (Segment segment : leaving) {
            deletions.schedule(segment, deleteAtMs);
            contents.segments().remove(segment);
            durability.removed(segment);
        }
    }
}
