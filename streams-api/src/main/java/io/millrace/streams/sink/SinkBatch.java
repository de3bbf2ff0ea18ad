package io.millrace.streams.sink;

import java.util.List;
import java.util.Map;

/**
 * Records of one topic in the order of their partitions' offsets, and how far they bring each partition. A batch
 * without a record still moves offsets.
 *
 * @param ranges for each partition the offset that the batch begins at and the one to go on from afterwards
 * @param deadLettersAllowed with more of them than this the batch must not be committed
 */
public record SinkBatch<K, V>(List<SinkRecord<K, V>> records, Map<Integer, Range> ranges, int deadLettersAllowed) {
    public record Range(long from, long next) {}
}
