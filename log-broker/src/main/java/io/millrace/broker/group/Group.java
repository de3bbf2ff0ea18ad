package io.millrace.broker.group;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A group.
 *
 * @param protocolType what kind of members it has, such as "consumer"; empty while it never had any
 * @param protocol the way of dividing the work that was agreed on; null for none
 * @param leader the member that divides the work; null for none
 * @param invited ids that were handed out and not used yet, and until when they are kept (KIP-394)
 * @param rebalanceEndsMs when the step of the rebalance that is under way ends at the latest; else
 *     {@link Long#MAX_VALUE}
 * @param waitsForMore whether a rebalance waits out its time for more members although all known ones have joined
 * @param changedMs when the state changed last
 */
public record Group(
        String id,
        String protocolType,
        int generation,
        GroupState state,
        String protocol,
        String leader,
        SortedMap<String, Member> members,
        SortedMap<String, Long> invited,
        long rebalanceEndsMs,
        boolean waitsForMore,
        long changedMs) {

    public Group {
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
        invited = Collections.unmodifiableSortedMap(new TreeMap<>(invited));
    }

    static Group fresh(String id, long nowMs) {
        return new Group(
                id,
                "",
                0,
                GroupState.EMPTY,
                null,
                null,
                new TreeMap<>(),
                new TreeMap<>(),
                Long.MAX_VALUE,
                false,
                nowMs);
    }

    /** The earliest moment at which something is due. */
    long deadlineMs() {
        long deadlineMs = rebalanceEndsMs;
        for (Member member : members.values()) {
            deadlineMs = Math.min(deadlineMs, member.sessionEndsMs());
        }
        for (long endsMs : invited.values()) {
            deadlineMs = Math.min(deadlineMs, endsMs);
        }
        return deadlineMs;
    }

    /** The static member of an instance, or null. */
    Member instance(String instanceId) {
        return members.values().stream()
                .filter(member -> instanceId.equals(member.instanceId()))
                .findFirst()
                .orElse(null);
    }
}
