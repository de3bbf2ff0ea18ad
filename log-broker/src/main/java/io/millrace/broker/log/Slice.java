package io.millrace.broker.log;

import io.millrace.kernel.DiskFile;

/**
 * Whole batches of one file, to be sent as they are. The file is held for the receiver, who must {@link #release} it.
 *
 * @param file null when the slice is empty
 * @param upToOffset every record of the slice is below it
 */
public record Slice(DiskFile file, long position, int sizeBytes, long upToOffset) {
    static final Slice EMPTY = new Slice(null, 0, 0, -1);

    public boolean isEmpty() {
        return sizeBytes == 0;
    }

    public void release() {
        if (file != null) {
            file.release();
        }
    }
}
