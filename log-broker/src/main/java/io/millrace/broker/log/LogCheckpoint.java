package io.millrace.broker.log;

/**
 * What a data folder remembers of a log from one start to the next.
 *
 * @param recoveryPoint everything below it survives a power cut
 * @param startOffset first offset that readers may see
 * @param cleanedOffset up to where compaction has come
 */
public record LogCheckpoint(long recoveryPoint, long startOffset, long cleanedOffset) {
    public static final LogCheckpoint NONE = new LogCheckpoint(0, 0, 0);
}
