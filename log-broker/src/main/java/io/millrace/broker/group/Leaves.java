package io.millrace.broker.group;

import io.millrace.broker.group.GroupAnswers.LeftMember;
import io.millrace.broker.group.GroupCommand.Leave;
import io.millrace.broker.group.GroupCommand.Leaver;
import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;

/** Members leave a group, or are given up. */
final class Leaves {
    private final Rebalancing rebalancing;

    Leaves(Rebalancing rebalancing) {
        this.rebalancing = rebalancing;
    }

    void leave(GroupDraft group, Leave leave) {
        List<LeftMember> answers = new ArrayList<>();
        for (Leaver leaver : leave.members()) {
            answers.add(new LeftMember(leaver.memberId(), leaver.instanceId(), leave(group, leaver)));
        }
        group.reply(leave.reply(), new GroupAnswers.Left(ErrorCode.NONE, answers));
    }

    private ErrorCode leave(GroupDraft group, Leaver leaver) {
        if (group.invited.remove(leaver.memberId()) != null) {
            rebalancing.completeIfAllHere(group);
            return ErrorCode.NONE;
        }
        Member member;
        if (leaver.memberId().isEmpty() && leaver.instanceId() != null) { // an administrator removes a static member
            member = group.instance(leaver.instanceId());
        } else {
            ErrorCode refusal = Membership.refusal(group.members, leaver.memberId(), leaver.instanceId());
            if (refusal != ErrorCode.NONE) {
                return refusal;
            }
            member = group.members.get(leaver.memberId());
        }
        if (member == null) {
            return ErrorCode.UNKNOWN_MEMBER_ID;
        }
        group.refuseParked(member, ErrorCode.UNKNOWN_MEMBER_ID);
        rebalancing.remove(group, member);
        return ErrorCode.NONE;
    }

    /** Deals with everything whose time is up. */
    void expire(GroupDraft group) {
        group.invited.values().removeIf(endsMs -> endsMs <= group.nowMs());
        for (Member member : List.copyOf(group.members.values())) {
            if (member.sessionEndsMs() <= group.nowMs() && group.members.containsKey(member.id())) {
                rebalancing.remove(group, member);
            }
        }
        if (group.rebalanceEndsMs <= group.nowMs()) {
            rebalancing.timeIsUp(group);
        } else {
            rebalancing.completeIfAllHere(group);
        }
    }
}
