package io.millrace.streams.runtime;

import java.util.List;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/** What a member tells the group and what the group tells it, passed between the worker and its assignor. */
final class SlotHolder {
    static final String CONFIG = "millrace.slot.holder";

    private int slot = Slots.NONE;
    private Set<Integer> liveSlots = Set.of();
    private List<TopicPartition> claims = List.of();

    /** This member's slot, or {@link Slots#NONE} before the first assignment. */
    int slot() {
        return slot;
    }

    /** The slots of all members: any other slot of the job is an orphan. */
    Set<Integer> liveSlots() {
        return liveSlots;
    }

    /** Only one member has this duty at a time. */
    boolean sweepsOrphans() {
        return liveSlots.stream().min(Integer::compare).orElse(slot) == slot;
    }

    void assigned(int newSlot, Set<Integer> newLiveSlots) {
        slot = newSlot;
        liveSlots = Set.copyOf(newLiveSlots);
    }

    /** Partitions whose state this member has. */
    List<TopicPartition> claims() {
        return claims;
    }

    void claim(List<TopicPartition> partitions) {
        claims = List.copyOf(partitions);
    }
}
