package io.millrace.broker.group;

import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** A group as a decision is about to leave it: changed freely, then turned into one event and its effects. */
final class GroupDraft {
    private final Group before;
    private final long nowMs;
    private final List<GroupEffect> effects = new ArrayList<>();
    private boolean recorded;

    final SortedMap<String, Member> members;
    final SortedMap<String, Long> invited;
    String protocolType;
    int generation;
    GroupState state;
    String protocol;
    String leader;
    long rebalanceEndsMs;
    boolean waitsForMore;

    GroupDraft(Group before, long nowMs) {
        this.before = before;
        this.nowMs = nowMs;
        members = new TreeMap<>(before.members());
        invited = new TreeMap<>(before.invited());
        protocolType = before.protocolType();
        generation = before.generation();
        state = before.state();
        protocol = before.protocol();
        leader = before.leader();
        rebalanceEndsMs = before.rebalanceEndsMs();
        waitsForMore = before.waitsForMore();
    }

    String id() {
        return before.id();
    }

    long nowMs() {
        return nowMs;
    }

    /** When the group got into the state from which this decision starts. */
    long changedMs() {
        return before.changedMs();
    }

    void put(Member member) {
        members.put(member.id(), member);
    }

    Member instance(String instanceId) {
        return members.values().stream()
                .filter(member -> instanceId.equals(member.instanceId()))
                .findFirst()
                .orElse(null);
    }

    <R> void reply(CompletableFuture<R> to, R answer) {
        effects.add(new GroupEffect.Reply(() -> to.complete(answer)));
    }

    void refuseParked(Member member, ErrorCode why) {
        if (member.joining() != null) {
            reply(member.joining(), GroupAnswers.Joined.refused(why, member.id()));
        }
        if (member.syncing() != null) {
            reply(member.syncing(), GroupAnswers.Synced.refused(why));
        }
    }

    /** A restart must know of this. */
    void record() {
        recorded = true;
    }

    Decision<GroupEvent, GroupEffect> decision() {
        long changedMs = state == before.state() && generation == before.generation() ? before.changedMs() : nowMs;
        Group after = new Group(
                before.id(),
                protocolType,
                generation,
                state,
                protocol,
                leader,
                members,
                invited,
                rebalanceEndsMs,
                waitsForMore,
                changedMs);
        return new Decision<>(List.of(new GroupEvent.Replaced(after, recorded)), effects);
    }
}
