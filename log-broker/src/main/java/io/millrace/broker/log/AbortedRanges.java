package io.millrace.broker.log;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Which batches of a part of a log belong to aborted transactions. */
final class AbortedRanges {
    private final Map<Long, NavigableMap<Long, AbortedIndex.Entry>> byProducer = new HashMap<>();
    private final Map<Long, AbortedIndex.Entry> byMarker = new HashMap<>();

    AbortedRanges(List<AbortedIndex.Entry> entries) {
        for (AbortedIndex.Entry entry : entries) {
            byProducer
                    .computeIfAbsent(entry.producerId(), id -> new TreeMap<>())
                    .put(entry.firstOffset(), entry);
            byMarker.put(entry.lastOffset(), entry);
        }
    }

    boolean contains(RecordBatch batch) {
        NavigableMap<Long, AbortedIndex.Entry> ofProducer = byProducer.get(batch.producerId());
        if (!batch.transactional() || batch.control() || ofProducer == null) {
            return false;
        }
        var floor = ofProducer.floorEntry(batch.baseOffset());
        return floor != null && batch.baseOffset() < floor.getValue().lastOffset();
    }

    /** The transaction that a marker aborts; null where it is not such a marker. */
    AbortedIndex.Entry endingAt(long markerOffset) {
        return byMarker.get(markerOffset);
    }
}
