package io.millrace.broker.log;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** A log as a plain list: everything is found by looking at all of it. */
final class LogModel {

    enum Kind {
        DATA,
        COMMIT,
        ABORT
    }

    /** @param sequence of the first record; -1 for markers and plain batches */
    record Batch(
            Kind kind, long firstOffset, List<String> values, long producerId, int sequence, boolean transactional) {
        long endOffset() {
            return firstOffset + values.size();
        }
    }

    private final List<Batch> batches = new ArrayList<>();

    void add(Kind kind, List<String> values, long producerId, int sequence, boolean transactional) {
        batches.add(new Batch(kind, endOffset(), values, producerId, sequence, transactional));
    }

    long endOffset() {
        return batches.isEmpty() ? 0 : batches.get(batches.size() - 1).endOffset();
    }

    void truncateTo(long endOffset) {
        batches.removeIf(batch -> batch.endOffset() > endOffset);
    }

    List<String> values() {
        return values(batch -> true, endOffset());
    }

    private List<String> values(Predicate<Batch> shown, long below) {
        List<String> values = new ArrayList<>();
        for (Batch batch : batches) {
            if (batch.kind() == Kind.DATA && batch.firstOffset() < below && shown.test(batch)) {
                values.addAll(batch.values());
            }
        }
        return values;
    }

    /** What a reader of committed data sees. */
    List<String> committed() {
        return values(batch -> !batch.transactional() || end(batch) == Kind.COMMIT, lastStableOffset());
    }

    /** How the transaction of a batch ended; null while it is open. */
    private Kind end(Batch batch) {
        return batches.stream()
                .filter(other -> other.kind() != Kind.DATA)
                .filter(other -> other.producerId() == batch.producerId())
                .filter(other -> other.firstOffset() > batch.firstOffset())
                .min(Comparator.comparingLong(Batch::firstOffset))
                .map(Batch::kind)
                .orElse(null);
    }

    long lastStableOffset() {
        return batches.stream()
                .filter(batch -> batch.kind() == Kind.DATA && batch.transactional() && end(batch) == null)
                .mapToLong(Batch::firstOffset)
                .min()
                .orElse(endOffset());
    }

    Set<Long> open() {
        Set<Long> producers = new HashSet<>();
        for (Batch batch : batches) {
            if (batch.kind() != Kind.DATA) {
                producers.remove(batch.producerId());
            } else if (batch.transactional()) {
                producers.add(batch.producerId());
            }
        }
        return producers;
    }

    int nextSequence(long producerId) {
        List<Batch> sequenced = sequenced(producerId);
        if (sequenced.isEmpty()) {
            return 0;
        }
        Batch last = sequenced.get(sequenced.size() - 1);
        return last.sequence() + last.values().size();
    }

    /** The batches of a producer, of which the log must remember the last five. */
    List<Batch> sequenced(long producerId) {
        return batches.stream()
                .filter(batch -> batch.producerId() == producerId && batch.sequence() >= 0)
                .toList();
    }

    /** The number of markers of each kind, for messages of failing tests. */
    Map<Kind, Long> counts() {
        Map<Kind, Long> counts = new HashMap<>();
        batches.forEach(batch -> counts.merge(batch.kind(), 1L, Long::sum));
        return counts;
    }
}
