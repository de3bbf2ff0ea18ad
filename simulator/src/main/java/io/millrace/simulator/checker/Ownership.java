package io.millrace.simulator.checker;

import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/** I5: in one generation of a group, a partition belongs to one member. */
public final class Ownership {
    private final Map<Integer, Map<TopicPartition, String>> generations = new TreeMap<>();

    /** A member was told that a partition is its own. */
    public void owns(int generation, TopicPartition partition, String member) {
        String before = generations
                .computeIfAbsent(generation, first -> new TreeMap<>(Ledger.BY_NAME))
                .putIfAbsent(partition, member);
        if (before != null && !before.equals(member)) {
            throw new Violation(
                    "I5", partition + " belongs to " + before + " and to " + member + " in generation " + generation);
        }
    }
}
