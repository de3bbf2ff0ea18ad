package io.millrace.streams.sink;

import java.util.List;
import java.util.Map;

/**
 * Writes for the partitions that it has taken over. Used by one thread. Every method may throw
 * {@link SinkUnavailableException} (nothing is decided; call again, for ever) and {@link SinkFencedException} (another
 * owner has taken over; let go).
 */
public interface SinkWriter<K, V> extends AutoCloseable {
    /** No offset is known: the sink has never seen this partition. */
    long NO_OFFSET = -1;

    /**
     * Makes this writer the one owner of these partitions: whoever owned them before can commit nothing from now on.
     *
     * @return for each of them the next offset to read, or {@link #NO_OFFSET}
     */
    Map<Integer, Long> takeOver(List<Integer> partitions);

    /**
     * Commits rows and offsets together, or nothing. Calling it again with the same batch is safe after any exception,
     * also when it is unknown whether the first call committed.
     *
     * @return how many of the records went to the dead letters
     */
    int write(SinkBatch<K, V> batch);

    @Override
    void close();
}
