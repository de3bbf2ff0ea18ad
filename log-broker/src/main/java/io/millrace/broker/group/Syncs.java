package io.millrace.broker.group;

import io.millrace.broker.group.GroupAnswers.Synced;
import io.millrace.broker.group.GroupCommand.Sync;
import io.millrace.broker.wire.ErrorCode;
import java.util.List;

/** Members fetch their share of the work; the leader brings it. */
final class Syncs {

    void sync(GroupDraft group, Sync sync) {
        if (!matches(sync.protocolType(), group.protocolType) || !matches(sync.protocol(), group.protocol)) {
            group.reply(sync.reply(), Synced.refused(ErrorCode.INCONSISTENT_GROUP_PROTOCOL));
            return;
        }
        Member member = group.members.get(sync.caller().memberId());
        switch (group.state) {
            case EMPTY -> group.reply(sync.reply(), Synced.refused(ErrorCode.UNKNOWN_MEMBER_ID));
            case PREPARING -> group.reply(sync.reply(), Synced.refused(ErrorCode.REBALANCE_IN_PROGRESS));
            case COMPLETING -> {
                group.refuseParked(member, ErrorCode.UNKNOWN_MEMBER_ID); // an earlier try, of which nobody will hear
                group.put(member.parkedSync(sync.reply()));
                if (member.id().equals(group.leader)) {
                    assign(group, sync);
                }
            }
            case STABLE -> {
                group.put(member.seen(group.nowMs()));
                group.reply(sync.reply(), synced(group, member));
            }
        }
    }

    private static boolean matches(String said, String known) {
        return said == null || said.equals(known);
    }

    private static void assign(GroupDraft group, Sync sync) {
        group.state = GroupState.STABLE;
        group.rebalanceEndsMs = Long.MAX_VALUE;
        group.record();
        for (Member member : List.copyOf(group.members.values())) {
            Member assigned = member.assigned(sync.assignments().getOrDefault(member.id(), new byte[0]));
            if (member.syncing() != null) {
                group.reply(member.syncing(), synced(group, assigned));
                assigned = assigned.answered(group.nowMs());
            }
            group.put(assigned);
        }
    }

    private static Synced synced(GroupDraft group, Member member) {
        return new Synced(ErrorCode.NONE, group.protocolType, group.protocol, member.assignment());
    }
}
