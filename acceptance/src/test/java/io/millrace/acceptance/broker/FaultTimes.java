package io.millrace.acceptance.broker;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The longest times without an acknowledgement, by kind of fault and of load. */
final class FaultTimes {
    private final Map<Fault, Map<String, List<Long>>> all = new EnumMap<>(Fault.class);

    void add(Fault fault, Map<String, Long> longestMs) {
        longestMs.forEach((load, ms) -> all.computeIfAbsent(fault, key -> new TreeMap<>())
                .computeIfAbsent(load, key -> new ArrayList<>())
                .add(ms));
    }

    /** One line for each kind of fault. */
    String text() {
        StringBuilder text =
                new StringBuilder("longest time without an acknowledgement, median / worst of all rounds\n");
        all.forEach((fault, loads) -> {
            text.append("  %-17s".formatted(fault));
            int[] rounds = {0};
            loads.forEach((load, times) -> {
                Collections.sort(times);
                rounds[0] = times.size();
                text.append("  %s %,d / %,d ms"
                        .formatted(load, times.get((times.size() - 1) / 2), times.get(times.size() - 1)));
            });
            text.append("  (%d rounds)%n".formatted(rounds[0]));
        });
        return text.toString();
    }
}
