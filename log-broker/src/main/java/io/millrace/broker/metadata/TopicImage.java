package io.millrace.broker.metadata;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;

/** A topic: its identity, its partitions by number, and what was set for it. */
public record TopicImage(Uuid id, String name, List<PartitionImage> partitions, Map<String, String> settings) {
    public static final String OFFSETS = "__consumer_offsets";
    public static final String TRANSACTIONS = "__transaction_state";

    private static final Set<String> INTERNAL = Set.of(OFFSETS, TRANSACTIONS);

    public TopicImage {
        partitions = List.copyOf(partitions);
        settings = Collections.unmodifiableMap(new TreeMap<>(settings));
    }

    /** Written by the broker itself; clients may read it but not write to it. */
    public boolean internal() {
        return INTERNAL.contains(name);
    }

    public static boolean isInternal(String name) {
        return INTERNAL.contains(name);
    }

    /** The partition of a number, or null where there is none. */
    public PartitionImage partition(int index) {
        return index >= 0 && index < partitions.size() ? partitions.get(index) : null;
    }
}
