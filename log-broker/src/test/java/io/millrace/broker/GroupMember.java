package io.millrace.broker;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.JoinGroupResponseData.JoinGroupResponseMember;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData.SyncGroupRequestAssignment;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.Errors;

/** A member of a group, step by step, over a simulated connection of its own. */
final class GroupMember {
    static final int SESSION_MS = 10_000;
    static final int REBALANCE_MS = 30_000;
    private static final int JOIN = 9;
    private static final int SYNC = 5;
    private static final int HEARTBEAT = 4;
    private static final int LEAVE = 5;

    private final SimBroker broker;
    private final String group;
    private final String instanceId;
    private SimBroker.Client client;
    private List<String> protocols = List.of("range");
    private String metadata = "all";
    private String protocolType = "consumer";
    private String id = "";
    private int generation = -1;
    private boolean leads;

    private GroupMember(SimBroker broker, String group, String instanceId) {
        this.broker = broker;
        this.group = group;
        this.instanceId = instanceId;
        reconnect();
    }

    static GroupMember of(SimBroker broker, String group) {
        return new GroupMember(broker, group, null);
    }

    static GroupMember withInstance(SimBroker broker, String group, String instanceId) {
        return new GroupMember(broker, group, instanceId);
    }

    GroupMember speaking(String... names) {
        protocols = List.of(names);
        return this;
    }

    GroupMember saying(String about) {
        metadata = about;
        return this;
    }

    /** Says what a consumer says that subscribes to topics. */
    GroupMember reading(String... topics) {
        return saying(StandardCharsets.ISO_8859_1
                .decode(ConsumerProtocol.serializeSubscription(new Subscription(List.of(topics))))
                .toString());
    }

    GroupMember ofType(String type) {
        protocolType = type;
        return this;
    }

    /** Goes on over a new connection. */
    void reconnect() {
        client = broker.client();
        client.call(Calls.findCoordinator(group, 0), Calls.FIND_COORDINATOR, FindCoordinatorResponseData.class);
    }

    void disconnect() {
        client.disconnect();
    }

    String id() {
        return id;
    }

    int generation() {
        return generation;
    }

    boolean leads() {
        return leads;
    }

    /** One request to join; what it brings is remembered. The answer may take its time. */
    CompletableFuture<JoinGroupResponseData> joinLater() {
        JoinGroupRequestData request = new JoinGroupRequestData()
                .setGroupId(group)
                .setMemberId(id)
                .setGroupInstanceId(instanceId)
                .setSessionTimeoutMs(SESSION_MS)
                .setRebalanceTimeoutMs(REBALANCE_MS)
                .setProtocolType(protocolType);
        protocols.forEach(name -> request.protocols()
                .add(new JoinGroupRequestProtocol()
                        .setName(name)
                        .setMetadata(metadata.getBytes(StandardCharsets.ISO_8859_1))));
        return client.send(request, JOIN, JoinGroupResponseData.class).thenApply(answer -> {
            if (answer.errorCode() == Errors.NONE.code()) {
                id = answer.memberId();
                generation = answer.generationId();
                leads = answer.leader().equals(id);
            } else if (answer.errorCode() == Errors.MEMBER_ID_REQUIRED.code()) {
                id = answer.memberId();
            }
            return answer;
        });
    }

    JoinGroupResponseData join() {
        return broker.await("an answer to a join", joinLater());
    }

    /** Joins as clients do: a dynamic member asks for its id first. */
    CompletableFuture<JoinGroupResponseData> enterLater() {
        if (id.isEmpty() && instanceId == null) {
            join();
        }
        return joinLater();
    }

    /** Joins, and takes part in the rebalance that follows. */
    JoinGroupResponseData enter() {
        return broker.await("an answer to a join", enterLater());
    }

    CompletableFuture<SyncGroupResponseData> syncLater(Map<String, String> assignments) {
        SyncGroupRequestData request = new SyncGroupRequestData()
                .setGroupId(group)
                .setMemberId(id)
                .setGroupInstanceId(instanceId)
                .setGenerationId(generation)
                .setProtocolType(protocolType)
                .setProtocolName(null);
        assignments.forEach((member, work) -> request.assignments()
                .add(new SyncGroupRequestAssignment().setMemberId(member).setAssignment(bytes(work))));
        return client.send(request, SYNC, SyncGroupResponseData.class);
    }

    SyncGroupResponseData sync(Map<String, String> assignments) {
        return broker.await("an answer to a sync", syncLater(assignments));
    }

    /** The assignment that a sync brings, without handing one in. */
    String assignment() {
        SyncGroupResponseData answer = sync(Map.of());
        SimClientSteps.check(answer.errorCode());
        return new String(answer.assignment(), StandardCharsets.UTF_8);
    }

    /** Becomes the only member of a stable group. */
    GroupMember settleAlone() {
        SimClientSteps.check(enter().errorCode());
        SimClientSteps.check(sync(Map.of(id, "everything")).errorCode());
        return this;
    }

    Errors heartbeat() {
        return heartbeat(generation);
    }

    Errors heartbeat(int ofGeneration) {
        HeartbeatRequestData request = new HeartbeatRequestData()
                .setGroupId(group)
                .setMemberId(id)
                .setGroupInstanceId(instanceId)
                .setGenerationId(ofGeneration);
        return Errors.forCode(
                client.call(request, HEARTBEAT, HeartbeatResponseData.class).errorCode());
    }

    Errors leave() {
        LeaveGroupRequestData request = new LeaveGroupRequestData()
                .setGroupId(group)
                .setMembers(List.of(new MemberIdentity().setMemberId(id).setGroupInstanceId(instanceId)));
        LeaveGroupResponseData answer = client.call(request, LEAVE, LeaveGroupResponseData.class);
        SimClientSteps.check(answer.errorCode());
        return Errors.forCode(answer.members().get(0).errorCode());
    }

    static Set<String> idsIn(JoinGroupResponseData answer) {
        return answer.members().stream().map(JoinGroupResponseMember::memberId).collect(Collectors.toSet());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
