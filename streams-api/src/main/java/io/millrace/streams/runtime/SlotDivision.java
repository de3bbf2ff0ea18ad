package io.millrace.streams.runtime;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/**
 * Who gets what, as pure functions of the members' claims. Every partition goes to one member, numbers differ by at
 * most one, and a member keeps what it claims as far as that allows.
 */
final class SlotDivision {
    private SlotDivision() {}

    /** A member keeps its slot; one without gets the lowest that is free, and so the one of a dead predecessor. */
    static Map<String, Integer> slots(Map<String, Slots.Claim> claims) {
        Map<String, Integer> slots = new TreeMap<>();
        Set<Integer> taken = new HashSet<>();
        new TreeMap<>(claims).forEach((member, claim) -> {
            if (claim.slot() != Slots.NONE && taken.add(claim.slot())) {
                slots.put(member, claim.slot());
            }
        });
        int next = 0;
        for (String member : new TreeMap<>(claims).keySet()) {
            if (!slots.containsKey(member)) {
                while (!taken.add(next)) {
                    next++;
                }
                slots.put(member, next);
            }
        }
        return slots;
    }

    static Map<String, List<TopicPartition>> partitions(
            Map<String, Slots.Claim> claims, List<TopicPartition> partitions) {
        Map<String, List<TopicPartition>> own = new TreeMap<>();
        claims.keySet().forEach(member -> own.put(member, new ArrayList<>()));
        int floor = partitions.size() / claims.size();
        int withOneMore = partitions.size() % claims.size();
        Set<TopicPartition> open = new HashSet<>(partitions);
        keepClaims(claims, own, open, floor, claims.size());
        keepClaims(claims, own, open, floor + 1, withOneMore);
        for (TopicPartition partition : partitions) {
            if (open.contains(partition)) {
                own.values().stream()
                        .min(Comparator.comparingInt(List::size))
                        .orElseThrow()
                        .add(partition);
            }
        }
        return own;
    }

    private static void keepClaims(
            Map<String, Slots.Claim> claims,
            Map<String, List<TopicPartition>> own,
            Set<TopicPartition> open,
            int most,
            int membersWithMost) {
        int full = 0;
        for (Map.Entry<String, List<TopicPartition>> member : own.entrySet()) {
            for (TopicPartition claimed : claims.get(member.getKey()).partitions()) {
                List<TopicPartition> list = member.getValue();
                if (list.size() < most && (full < membersWithMost) && open.remove(claimed)) {
                    list.add(claimed);
                }
            }
            if (member.getValue().size() == most) {
                full++;
            }
        }
    }
}
