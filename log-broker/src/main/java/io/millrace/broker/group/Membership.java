package io.millrace.broker.group;

import io.millrace.broker.group.GroupCommand.Caller;
import io.millrace.broker.wire.ErrorCode;
import java.util.Map;

/** Who may act as a member. */
final class Membership {
    private Membership() {}

    /** Why somebody is not the member it says it is; NONE when it is. */
    static ErrorCode refusal(Map<String, Member> members, String memberId, String instanceId) {
        if (instanceId != null) {
            Member holder = members.values().stream()
                    .filter(member -> instanceId.equals(member.instanceId()))
                    .findFirst()
                    .orElse(null);
            if (holder == null) {
                return ErrorCode.UNKNOWN_MEMBER_ID;
            }
            return holder.id().equals(memberId) ? ErrorCode.NONE : ErrorCode.FENCED_INSTANCE_ID;
        }
        return members.containsKey(memberId) ? ErrorCode.NONE : ErrorCode.UNKNOWN_MEMBER_ID;
    }

    /** The same for a request that names a generation. */
    static ErrorCode refusal(Group group, Caller caller) {
        if (group == null || group.state() == GroupState.EMPTY) {
            return ErrorCode.UNKNOWN_MEMBER_ID;
        }
        ErrorCode unknown = refusal(group.members(), caller.memberId(), caller.instanceId());
        if (unknown != ErrorCode.NONE) {
            return unknown;
        }
        return caller.generation() == group.generation() ? ErrorCode.NONE : ErrorCode.ILLEGAL_GENERATION;
    }
}
