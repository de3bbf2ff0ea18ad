package io.millrace.simulator.checker;

import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * I4: of everything below a group's offset there is one output, in order, and of nothing above.
 *
 * @param offset of the group in the input
 */
public record CopyCheck(String id, TopicPartition from, TopicPartition to, long offset) {

    /** The output for an input. */
    public static String value(String id, long inputOffset) {
        return id + ".of." + inputOffset;
    }

    /** Whether a value is such an output: one of an aborted transaction is written again. */
    static boolean isOutput(String value) {
        return value.contains(".of.");
    }

    /** @param committed what a reader of committed records gets of each partition */
    public void check(SortedMap<TopicPartition, NavigableMap<Long, String>> committed) {
        List<String> expected = committed.get(from).headMap(offset).keySet().stream()
                .map(input -> value(id, input))
                .toList();
        List<String> found = committed.get(to).values().stream()
                .filter(value -> value.startsWith(id + ".of."))
                .collect(Collectors.toList());
        if (!found.equals(expected)) {
            int same = 0;
            while (same < Math.min(found.size(), expected.size())
                    && found.get(same).equals(expected.get(same))) {
                same++;
            }
            throw new Violation(
                    "I4",
                    "group " + id + " stands at " + offset + " of " + from + ", which makes "
                            + expected.size() + " outputs; there are " + found.size() + " in " + to
                            + ", different from "
                            + (same < expected.size() ? expected.get(same) : "the end") + " on: "
                            + found.subList(same, Math.min(found.size(), same + 3)));
        }
    }
}
