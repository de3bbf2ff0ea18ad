package io.millrace.broker.group;

import io.millrace.broker.group.GroupAnswers.Joined;
import io.millrace.broker.group.GroupCommand.Join;
import io.millrace.broker.wire.ErrorCode;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** Members join a group. */
final class Joins {
    private final GroupSettings settings;
    private final Rebalancing rebalancing;
    private final Supplier<String> newId;
    private final Function<byte[], Set<String>> subscribedTopics;

    /**
     * @param newId the part of a member id that makes it unique
     * @param subscribedTopics reads the topics out of what a member of type "consumer" says
     */
    Joins(
            GroupSettings settings,
            Rebalancing rebalancing,
            Supplier<String> newId,
            Function<byte[], Set<String>> subscribedTopics) {
        this.settings = settings;
        this.rebalancing = rebalancing;
        this.newId = newId;
        this.subscribedTopics = subscribedTopics;
    }

    void join(GroupDraft group, Join join) {
        ErrorCode refusal = refusal(group, join);
        if (refusal != ErrorCode.NONE) {
            group.reply(join.reply(), Joined.refused(refusal, join.member().id()));
        } else if (join.member().id().isEmpty()) {
            joinNew(group, join);
        } else {
            joinKnown(group, join);
        }
    }

    private ErrorCode refusal(GroupDraft group, Join join) {
        Member member = join.member();
        if (member.sessionTimeoutMs() < settings.minSessionMs()
                || member.sessionTimeoutMs() > settings.maxSessionMs()) {
            return ErrorCode.INVALID_SESSION_TIMEOUT;
        }
        boolean known = group.members.containsKey(member.id());
        if (!known && group.members.size() >= settings.maxSize()) {
            return ErrorCode.GROUP_MAX_SIZE_REACHED;
        }
        if (join.protocolType().isEmpty() || member.protocols().isEmpty()) {
            return ErrorCode.INCONSISTENT_GROUP_PROTOCOL;
        }
        if (group.members.isEmpty()) {
            return ErrorCode.NONE;
        }
        boolean common = member.protocols().stream()
                .anyMatch(protocol -> group.members.values().stream()
                        .filter(other -> !other.id().equals(member.id()))
                        .allMatch(other -> other.speaks(protocol.name())));
        return common && group.protocolType.equals(join.protocolType())
                ? ErrorCode.NONE
                : ErrorCode.INCONSISTENT_GROUP_PROTOCOL;
    }

    private void joinNew(GroupDraft group, Join join) {
        Member member = join.member();
        String prefix = member.instanceId() != null ? member.instanceId() : member.clientId();
        String id = prefix + "-" + newId.get();
        Member old = member.instanceId() == null ? null : group.instance(member.instanceId());
        if (old != null) {
            replaceStatic(group, join, old, id);
        } else if (member.instanceId() == null && join.knownIdRequired()) {
            group.invited.put(id, group.nowMs() + member.sessionTimeoutMs());
            group.reply(join.reply(), Joined.refused(ErrorCode.MEMBER_ID_REQUIRED, id));
        } else {
            admit(group, join, id);
        }
    }

    private void admit(GroupDraft group, Join join, String id) {
        group.invited.remove(id);
        if (group.members.isEmpty()) {
            group.protocolType = join.protocolType();
        }
        group.put(join.member().named(id).parkedJoin(join.reply()));
        rebalancing.prepare(group);
    }

    /** A static member came back with a new life: it takes the place of the old one (KIP-345). */
    private void replaceStatic(GroupDraft group, Join join, Member old, String id) {
        group.refuseParked(old, ErrorCode.FENCED_INSTANCE_ID);
        group.members.remove(old.id());
        Member reborn = old.named(id).asking(join.member()).answered(group.nowMs());
        group.put(reborn);
        boolean wasLeader = old.id().equals(group.leader);
        if (wasLeader) {
            group.leader = id;
        }
        if (group.state != GroupState.STABLE || wantsOtherWork(group, old, reborn)) {
            group.put(reborn.parkedJoin(join.reply()));
            rebalancing.prepare(group);
            return;
        }
        group.record();
        Joined answer = Rebalancing.joined(group, reborn);
        if (wasLeader) {
            // It must not divide the work again. Clients that cannot be told so are not told that they lead.
            answer = new Joined(
                    answer.error(),
                    answer.generation(),
                    answer.protocolType(),
                    answer.protocol(),
                    join.canSkip() ? id : old.id(),
                    join.canSkip(),
                    id,
                    join.canSkip() ? answer.members() : List.of());
        }
        group.reply(join.reply(), answer);
    }

    /**
     * What members say changes with every life, as it names the partitions that they had. A rebalance is due only where
     * the group would come to another protocol, or where a consumer reads other topics.
     */
    private boolean wantsOtherWork(GroupDraft group, Member old, Member reborn) {
        if (!Rebalancing.agreedProtocol(group).equals(group.protocol)) {
            return true;
        }
        return "consumer".equals(group.protocolType)
                && !subscribedTopics
                        .apply(old.metadata(group.protocol))
                        .equals(subscribedTopics.apply(reborn.metadata(group.protocol)));
    }

    private void joinKnown(GroupDraft group, Join join) {
        Member member = join.member();
        if (group.invited.containsKey(member.id())) {
            admit(group, join, member.id());
            return;
        }
        ErrorCode unknown = Membership.refusal(group.members, member.id(), member.instanceId());
        if (unknown != ErrorCode.NONE) {
            group.reply(join.reply(), Joined.refused(unknown, member.id()));
            return;
        }
        Member known = group.members.get(member.id());
        boolean same = known.protocols().equals(member.protocols());
        boolean leads = known.id().equals(group.leader);
        boolean answerAgain =
                same && (group.state == GroupState.COMPLETING || (group.state == GroupState.STABLE && !leads));
        Member renewed = known.asking(member);
        if (answerAgain) {
            group.put(renewed.seen(group.nowMs()));
            group.reply(join.reply(), Rebalancing.joined(group, renewed));
        } else {
            group.refuseParked(known, ErrorCode.UNKNOWN_MEMBER_ID);
            group.put(renewed.parkedSync(null).parkedJoin(join.reply()));
            rebalancing.prepare(group);
        }
    }
}
