package io.millrace.simulator.client;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData.SyncGroupRequestAssignment;

/** What a member of a classic group sends, in the newest versions. */
public final class GroupRequests {
    public static final int JOIN = 9;
    public static final int SYNC = 5;
    public static final int HEARTBEAT = 4;
    public static final int LEAVE = 5;
    private static final String TYPE = "copies";
    private static final String PROTOCOL = "each-to-one";

    private GroupRequests() {}

    public static JoinGroupRequestData join(String group, String memberId, int sessionMs, int rebalanceMs) {
        JoinGroupRequestData request = new JoinGroupRequestData()
                .setGroupId(group)
                .setMemberId(memberId)
                .setProtocolType(TYPE)
                .setSessionTimeoutMs(sessionMs)
                .setRebalanceTimeoutMs(rebalanceMs)
                .setReason("");
        request.protocols().add(new JoinGroupRequestProtocol().setName(PROTOCOL).setMetadata(new byte[0]));
        return request;
    }

    /** @param assignments of all members, by id, from the one that leads; none from the others */
    public static SyncGroupRequestData sync(Membership member, Map<String, String> assignments) {
        return new SyncGroupRequestData()
                .setGroupId(member.group())
                .setMemberId(member.id())
                .setGenerationId(member.generation())
                .setProtocolType(TYPE)
                .setProtocolName(PROTOCOL)
                .setAssignments(assignments.entrySet().stream()
                        .map(one -> new SyncGroupRequestAssignment()
                                .setMemberId(one.getKey())
                                .setAssignment(one.getValue().getBytes(StandardCharsets.UTF_8)))
                        .toList());
    }

    public static HeartbeatRequestData heartbeat(Membership member) {
        return new HeartbeatRequestData()
                .setGroupId(member.group())
                .setMemberId(member.id())
                .setGenerationId(member.generation());
    }

    public static LeaveGroupRequestData leave(Membership member) {
        return new LeaveGroupRequestData()
                .setGroupId(member.group())
                .setMembers(List.of(new LeaveGroupRequestData.MemberIdentity()
                        .setMemberId(member.id())
                        .setReason("")));
    }

    /** A member as its group knows it. */
    public record Membership(String group, String id, int generation) {
        /** Somebody who commits offsets of a group that has no members. */
        public static Membership none(String group) {
            return new Membership(group, "", -1);
        }
    }
}
