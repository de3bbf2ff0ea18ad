package io.millrace.simulator.checker;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/** Looks at the whole of what readers have got in the end, and holds it against what was promised. */
public final class Promises {
    private final Ledger ledger;
    private final SortedMap<TopicPartition, NavigableMap<Long, String>> all;
    private final SortedMap<TopicPartition, NavigableMap<Long, String>> committed;

    /**
     * @param all what a reader of everything has got of each partition
     * @param committed likewise a reader of committed records
     */
    public Promises(
            Ledger ledger,
            SortedMap<TopicPartition, NavigableMap<Long, String>> all,
            SortedMap<TopicPartition, NavigableMap<Long, String>> committed) {
        this.ledger = ledger;
        this.all = all;
        this.committed = committed;
    }

    public void check() {
        all.forEach(this::acknowledgedAreThere);
        all.forEach(this::seenAreThere);
        Map<String, SortedMap<TopicPartition, Long>> places = onlyOnce();
        ledger.inOrder().forEach((producer, values) -> inOrder(producer, values, places));
        ledger.transfers().forEach(this::allOrNothing);
        ledger.forbidden().forEach(value -> {
            if (places.containsKey(value)) {
                throw new Violation("I5", value + " of a fenced producer is at " + places.get(value));
            }
        });
    }

    /** I1: an acknowledged record is read, at its offset. */
    private void acknowledgedAreThere(TopicPartition partition, NavigableMap<Long, String> values) {
        ledger.acknowledged(partition).forEach((offset, value) -> {
            if (!Objects.equals(values.get(offset), value)) {
                throw new Violation(
                        "I1",
                        partition + " offset " + offset + " was acknowledged for " + value
                                + ", and holds " + values.get(offset) + "; the partition ends at "
                                + (values.isEmpty() ? 0 : values.lastKey() + 1));
            }
        });
    }

    /** I6: what some reader has seen, a later one sees. What stands there instead, the ledger has compared. */
    private void seenAreThere(TopicPartition partition, NavigableMap<Long, String> values) {
        ledger.seen(partition).forEach((offset, what) -> {
            if (!what.marker() && !values.containsKey(offset)) {
                throw new Violation(
                        "I6",
                        partition + " offset " + offset + " held " + what + " for a reader, and nothing in the end");
            }
        });
    }

    /** I2: nothing is in a partition twice. */
    private Map<String, SortedMap<TopicPartition, Long>> onlyOnce() {
        Map<String, SortedMap<TopicPartition, Long>> places = new HashMap<>();
        all.forEach((partition, values) -> values.forEach((offset, value) -> {
            Long before = places.computeIfAbsent(value, first -> new TreeMap<>(Ledger.BY_NAME))
                    .put(partition, offset);
            if (before != null && !CopyCheck.isOutput(value)) {
                throw new Violation("I2", partition + " holds " + value + " at " + before + " and at " + offset);
            }
        }));
        return places;
    }

    /** I2: what one producer sent in order is there in that order. */
    private static void inOrder(
            String producer, List<String> values, Map<String, SortedMap<TopicPartition, Long>> places) {
        long last = -1;
        for (String value : values) {
            SortedMap<TopicPartition, Long> at = places.get(value);
            if (at == null) {
                throw new Violation("I2", value + " of " + producer + " is missing");
            }
            long offset = at.get(at.firstKey());
            if (offset <= last) {
                throw new Violation(
                        "I2", value + " of " + producer + " is at " + offset + ", the one before at " + last);
            }
            last = offset;
        }
    }

    /** I3: a transaction is read as a whole or not at all, and as its producer was told. */
    private void allOrNothing(String value, Ledger.Transfer transfer) {
        List<TopicPartition> seen = transfer.partitions().stream()
                .filter(partition -> committed.get(partition).containsValue(value))
                .toList();
        boolean whole = seen.size() == transfer.partitions().size();
        boolean fits = switch (transfer.outcome()) {
            case COMMITTED -> whole;
            case ABORTED -> seen.isEmpty();
            case UNKNOWN -> whole || seen.isEmpty();
        };
        if (!fits) {
            throw new Violation(
                    "I3",
                    "transaction " + value + " (" + transfer.outcome() + ") is read from " + seen
                            + " of its partitions " + transfer.partitions());
        }
    }
}
