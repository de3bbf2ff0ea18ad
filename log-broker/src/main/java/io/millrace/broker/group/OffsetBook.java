package io.millrace.broker.group;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/** The offsets of all groups: committed ones, and those that an open transaction will commit. */
final class OffsetBook {
    static final Comparator<TopicPartition> ORDER =
            Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

    private static final SortedMap<TopicPartition, Offset> NONE =
            Collections.unmodifiableSortedMap(new TreeMap<>(ORDER));

    private final Map<String, SortedMap<TopicPartition, Offset>> committed = new TreeMap<>();
    private final Map<Long, List<GroupEvent.Pending>> pending = new TreeMap<>();

    SortedMap<TopicPartition, Offset> of(String group) {
        return committed.getOrDefault(group, NONE);
    }

    Iterable<String> groups() {
        return List.copyOf(committed.keySet());
    }

    /** What transactions of a producer are about to commit. */
    List<GroupEvent.Pending> pending(long producerId) {
        return List.copyOf(pending.getOrDefault(producerId, List.of()));
    }

    /** What transactions are about to commit for a group. */
    List<GroupEvent.Pending> pending(String group) {
        return pending().stream().filter(one -> one.group().equals(group)).toList();
    }

    /** What all open transactions are about to commit. */
    List<GroupEvent.Pending> pending() {
        return pending.values().stream().flatMap(List::stream).toList();
    }

    void apply(GroupEvent event) {
        if (event instanceof GroupEvent.Committed one) {
            committed
                    .computeIfAbsent(one.group(), group -> new TreeMap<>(ORDER))
                    .put(one.partition(), one.offset());
        } else if (event instanceof GroupEvent.Forgotten one) {
            forget(one);
        } else if (event instanceof GroupEvent.Pending one) {
            List<GroupEvent.Pending> all = pending.computeIfAbsent(one.producerId(), id -> new ArrayList<>());
            all.removeIf(other -> same(other, one.group(), one.partition()));
            all.add(one);
        } else if (event instanceof GroupEvent.PendingOver one) {
            endPending(one);
        }
    }

    private void forget(GroupEvent.Forgotten one) {
        SortedMap<TopicPartition, Offset> offsets = committed.get(one.group());
        if (offsets != null) {
            offsets.remove(one.partition());
            if (offsets.isEmpty()) {
                committed.remove(one.group());
            }
        }
    }

    private void endPending(GroupEvent.PendingOver one) {
        List<GroupEvent.Pending> all = pending.get(one.producerId());
        if (all != null) {
            all.removeIf(other -> same(other, one.group(), one.partition()));
            if (all.isEmpty()) {
                pending.remove(one.producerId());
            }
        }
    }

    private static boolean same(GroupEvent.Pending one, String group, TopicPartition partition) {
        return one.group().equals(group) && one.partition().equals(partition);
    }
}
