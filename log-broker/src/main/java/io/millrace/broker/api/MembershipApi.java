package io.millrace.broker.api;

import io.millrace.broker.group.GroupAnswers.Joined;
import io.millrace.broker.group.GroupAnswers.Left;
import io.millrace.broker.group.GroupAnswers.Synced;
import io.millrace.broker.group.GroupCommand;
import io.millrace.broker.group.GroupCommand.Caller;
import io.millrace.broker.group.GroupCommand.Leaver;
import io.millrace.broker.group.Member;
import io.millrace.broker.server.RequestContext;
import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.JoinGroupResponseData.JoinGroupResponseMember;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupResponseData.MemberResponse;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;

/** Members of classic groups join, stay and leave. */
final class MembershipApi {
    /** Version 0 has one timeout for both. */
    private static final short REBALANCE_TIMEOUT_SINCE = 1;

    private static final short KNOWN_ID_REQUIRED_SINCE = 4;
    private static final short PROTOCOL_TYPE_SINCE = 7;
    private static final short SKIP_SINCE = 9;
    private static final short BATCHED_LEAVE_SINCE = 3;

    private final ApiContext context;

    MembershipApi(ApiContext context) {
        this.context = context;
    }

    CompletableFuture<JoinGroupResponseData> join(RequestContext request) {
        JoinGroupRequestData body = request.body(JoinGroupRequestData.class);
        List<Member.Protocol> protocols = new ArrayList<>();
        body.protocols().forEach(protocol -> protocols.add(new Member.Protocol(protocol.name(), protocol.metadata())));
        int rebalanceTimeoutMs =
                request.version() >= REBALANCE_TIMEOUT_SINCE ? body.rebalanceTimeoutMs() : body.sessionTimeoutMs();
        Member member = new Member(
                body.memberId(),
                body.groupInstanceId(),
                request.clientId(),
                "/" + request.connection().remoteHost(),
                rebalanceTimeoutMs,
                body.sessionTimeoutMs(),
                protocols,
                new byte[0],
                Long.MAX_VALUE,
                null,
                null);
        CompletableFuture<Joined> answer = context.groups()
                .ask(
                        body.groupId(),
                        reply -> new GroupCommand.Join(
                                body.groupId(),
                                body.protocolType(),
                                member,
                                request.version() >= KNOWN_ID_REQUIRED_SINCE,
                                request.version() >= SKIP_SINCE,
                                reply));
        return Failures.worded(
                answer, joined -> worded(joined, request.version()), error -> refused(error, body, request.version()));
    }

    private static JoinGroupResponseData worded(Joined joined, short version) {
        JoinGroupResponseData response = new JoinGroupResponseData()
                .setErrorCode(joined.error().code())
                .setGenerationId(joined.generation())
                .setProtocolType(joined.protocolType())
                .setProtocolName(protocolName(joined.protocol(), version))
                .setLeader(joined.leader())
                .setSkipAssignment(joined.skipAssignment())
                .setMemberId(joined.memberId());
        joined.members()
                .forEach(said -> response.members()
                        .add(new JoinGroupResponseMember()
                                .setMemberId(said.memberId())
                                .setGroupInstanceId(said.instanceId())
                                .setMetadata(said.metadata())));
        return response;
    }

    /** Old versions cannot say that there is none. */
    private static String protocolName(String protocol, short version) {
        return protocol == null && version < PROTOCOL_TYPE_SINCE ? "" : protocol;
    }

    private static JoinGroupResponseData refused(ErrorCode error, JoinGroupRequestData body, short version) {
        return new JoinGroupResponseData()
                .setErrorCode(error.code())
                .setGenerationId(-1)
                .setProtocolName(protocolName(null, version))
                .setMemberId(body.memberId());
    }

    CompletableFuture<SyncGroupResponseData> sync(RequestContext request) {
        SyncGroupRequestData body = request.body(SyncGroupRequestData.class);
        Map<String, byte[]> assignments = new TreeMap<>();
        body.assignments().forEach(one -> assignments.put(one.memberId(), one.assignment()));
        Caller caller = new Caller(body.groupId(), body.memberId(), body.groupInstanceId(), body.generationId());
        return Failures.worded(
                context.groups()
                        .<Synced>ask(
                                body.groupId(),
                                reply -> new GroupCommand.Sync(
                                        caller, body.protocolType(), body.protocolName(), assignments, reply)),
                synced -> new SyncGroupResponseData()
                        .setErrorCode(synced.error().code())
                        .setProtocolType(synced.protocolType())
                        .setProtocolName(synced.protocol())
                        .setAssignment(synced.assignment()),
                error -> new SyncGroupResponseData().setErrorCode(error.code()));
    }

    CompletableFuture<HeartbeatResponseData> heartbeat(RequestContext request) {
        HeartbeatRequestData body = request.body(HeartbeatRequestData.class);
        Caller caller = new Caller(body.groupId(), body.memberId(), body.groupInstanceId(), body.generationId());
        return Failures.worded(
                context.groups().<ErrorCode>ask(body.groupId(), reply -> new GroupCommand.Heartbeat(caller, reply)),
                error -> new HeartbeatResponseData().setErrorCode(error.code()),
                error -> new HeartbeatResponseData().setErrorCode(error.code()));
    }

    CompletableFuture<LeaveGroupResponseData> leave(RequestContext request) {
        LeaveGroupRequestData body = request.body(LeaveGroupRequestData.class);
        boolean batched = request.version() >= BATCHED_LEAVE_SINCE;
        List<Leaver> leavers = batched
                ? body.members().stream()
                        .map(member -> new Leaver(member.memberId(), member.groupInstanceId()))
                        .toList()
                : List.of(new Leaver(body.memberId(), null));
        return Failures.worded(
                context.groups()
                        .<Left>ask(body.groupId(), reply -> new GroupCommand.Leave(body.groupId(), leavers, reply)),
                left -> {
                    if (!batched) {
                        return new LeaveGroupResponseData()
                                .setErrorCode(left.members().get(0).error().code());
                    }
                    return new LeaveGroupResponseData()
                            .setErrorCode(left.error().code())
                            .setMembers(left.members().stream()
                                    .map(member -> new MemberResponse()
                                            .setMemberId(member.memberId())
                                            .setGroupInstanceId(member.instanceId())
                                            .setErrorCode(member.error().code()))
                                    .toList());
                },
                error -> new LeaveGroupResponseData().setErrorCode(error.code()));
    }
}
