package io.millrace.broker.group;

import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** How a group gets from one generation to the next. */
final class Rebalancing {
    private final GroupSettings settings;

    Rebalancing(GroupSettings settings) {
        this.settings = settings;
    }

    /** Begins a rebalance, or goes on with the one that is under way. */
    void prepare(GroupDraft group) {
        if (group.state == GroupState.PREPARING) {
            extendInitialDelay(group);
        } else {
            forgetAssignments(group);
            group.waitsForMore = group.state == GroupState.EMPTY && settings.initialDelayMs() > 0;
            long timeMs = group.waitsForMore ? settings.initialDelayMs() : longestRebalance(group);
            group.rebalanceEndsMs = group.nowMs() + timeMs;
            group.state = GroupState.PREPARING;
        }
        completeIfAllHere(group);
    }

    /** Members who are still coming one by one push the end of a new group's wait back, but not beyond their patience. */
    private void extendInitialDelay(GroupDraft group) {
        if (group.waitsForMore) {
            long latestMs = group.changedMs() + longestRebalance(group);
            group.rebalanceEndsMs =
                    Math.min(Math.max(group.rebalanceEndsMs, group.nowMs() + settings.initialDelayMs()), latestMs);
        }
    }

    private static long longestRebalance(GroupDraft group) {
        return group.members.values().stream()
                .mapToLong(Member::rebalanceTimeoutMs)
                .max()
                .orElse(0);
    }

    private static void forgetAssignments(GroupDraft group) {
        for (Member member : List.copyOf(group.members.values())) {
            Member cleared = member.assigned(new byte[0]);
            if (member.syncing() != null) {
                group.reply(member.syncing(), GroupAnswers.Synced.refused(ErrorCode.REBALANCE_IN_PROGRESS));
                cleared = cleared.answered(group.nowMs());
            }
            group.put(cleared);
        }
    }

    void completeIfAllHere(GroupDraft group) {
        boolean allHere =
                group.invited.isEmpty() && group.members.values().stream().allMatch(member -> member.joining() != null);
        if (group.state == GroupState.PREPARING && allHere && !group.waitsForMore) {
            complete(group);
        }
    }

    /** Everybody who has joined forms the next generation; who has not is out, unless it is a static member. */
    void complete(GroupDraft group) {
        group.members.values().removeIf(member -> member.joining() == null && member.instanceId() == null);
        group.waitsForMore = false;
        group.generation++;
        if (group.members.isEmpty()) {
            group.state = GroupState.EMPTY;
            group.protocol = null;
            group.leader = null;
            group.rebalanceEndsMs = Long.MAX_VALUE;
            group.record();
            return;
        }
        group.state = GroupState.COMPLETING;
        group.protocol = agreedProtocol(group);
        chooseLeader(group);
        group.rebalanceEndsMs = group.nowMs() + longestRebalance(group);
        for (Member member : List.copyOf(group.members.values())) {
            if (member.joining() != null) {
                group.reply(member.joining(), joined(group, member));
                group.put(member.answered(group.nowMs()));
            }
        }
    }

    private static void chooseLeader(GroupDraft group) {
        Member current = group.leader == null ? null : group.members.get(group.leader);
        if (current == null || current.joining() == null) {
            group.leader = group.members.values().stream()
                    .filter(member -> member.joining() != null)
                    .map(Member::id)
                    .findFirst()
                    .orElse(group.members.firstKey());
        }
    }

    static GroupAnswers.Joined joined(GroupDraft group, Member member) {
        List<GroupAnswers.Said> said = new ArrayList<>();
        if (member.id().equals(group.leader)) {
            group.members
                    .values()
                    .forEach(one ->
                            said.add(new GroupAnswers.Said(one.id(), one.instanceId(), one.metadata(group.protocol))));
        }
        return new GroupAnswers.Joined(
                ErrorCode.NONE,
                group.generation,
                group.protocolType,
                group.protocol,
                group.leader,
                false,
                member.id(),
                said);
    }

    /** Of the protocols that all members speak, the one that most of them would rather have. */
    static String agreedProtocol(GroupDraft group) {
        TreeSet<String> common = new TreeSet<>();
        for (Member.Protocol protocol : group.members.values().iterator().next().protocols()) {
            if (allSpeak(group, protocol.name())) {
                common.add(protocol.name());
            }
        }
        Map<String, Integer> votes = new HashMap<>();
        for (Member member : group.members.values()) {
            member.protocols().stream()
                    .map(Member.Protocol::name)
                    .filter(common::contains)
                    .findFirst()
                    .ifPresent(choice -> votes.merge(choice, 1, Integer::sum));
        }
        String best = common.first();
        for (String candidate : common) {
            if (votes.getOrDefault(candidate, 0) > votes.getOrDefault(best, 0)) {
                best = candidate;
            }
        }
        return best;
    }

    static boolean allSpeak(GroupDraft group, String protocol) {
        return group.members.values().stream().allMatch(member -> member.speaks(protocol));
    }

    /** A member is out. */
    void remove(GroupDraft group, Member member) {
        group.members.remove(member.id());
        if (member.id().equals(group.leader)) {
            group.leader = null;
        }
        switch (group.state) {
            case STABLE, COMPLETING -> prepare(group);
            case PREPARING -> completeIfAllHere(group);
            case EMPTY -> {}
        }
    }

    /** The time of the step under way is up. */
    void timeIsUp(GroupDraft group) {
        if (group.state == GroupState.PREPARING) {
            group.invited.clear();
            complete(group);
        } else if (group.state == GroupState.COMPLETING) {
            group.rebalanceEndsMs = Long.MAX_VALUE;
            for (Member member : List.copyOf(group.members.values())) {
                if (member.syncing() == null && group.members.containsKey(member.id())) {
                    remove(group, member); // it joined but never asked for its work
                }
            }
        }
    }
}
