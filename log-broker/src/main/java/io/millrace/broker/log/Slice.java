package io.millrace.broker.log;

import io.millrace.kernel.DiskFile;

/**
 * Whole batches of one file, to be sent as they are. The file is held for the receiver, who must {@link #release} it.
 *
 * @param file null when the slice is empty
 * @param upToOffset every record of the slice is below it
 * @param segment that it is a part of
 */
public record Slice(DiskFile file, int position, int sizeBytes, long upToOffset, SegmentView segment) {
    static final Slice EMPTY = new Slice(null, 0, 0, -1, null);

    public boolean isEmpty() {
        return sizeBytes == 0;
    }

    /** Whether its bytes are known to be what was written, as long as they do not come from the disk once more. */
    public boolean isKnownSound() {
        return segment.soundness().covers(position, position + sizeBytes);
    }

    /** Reads it through and says where it is damaged first; null where it is sound. Takes as long as the disk takes. */
    public Damage damage() {
        return segment.firstDamage(position, position + sizeBytes, upToOffset);
    }

    public void release() {
        if (file != null) {
            file.release();
        }
    }
}
