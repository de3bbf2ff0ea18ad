package io.millrace.broker.group;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.millrace.broker.group.proto.GroupLogKey;
import io.millrace.broker.group.proto.GroupRecord;
import io.millrace.broker.group.proto.MemberRecord;
import io.millrace.broker.group.proto.OffsetKey;
import io.millrace.broker.group.proto.OffsetRecord;
import io.millrace.broker.group.proto.PendingKey;
import io.millrace.broker.group.proto.ProtocolRecord;
import io.millrace.kernel.EventCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/** Group events as Protobuf records. */
public final class GroupCodec implements EventCodec<GroupEvent> {

    @Override
    public Optional<Entry> encode(GroupEvent event) {
        if (event instanceof GroupEvent.Replaced one && one.recorded()) {
            return entry(groupKey(one.group().id()), record(one.group()).toByteArray());
        } else if (event instanceof GroupEvent.Removed one) {
            return entry(groupKey(one.group()), null);
        } else if (event instanceof GroupEvent.Committed one) {
            return entry(
                    GroupLogKey.newBuilder().setOffset(key(one.group(), one.partition())),
                    record(one.offset()).build().toByteArray());
        } else if (event instanceof GroupEvent.Forgotten one) {
            return entry(GroupLogKey.newBuilder().setOffset(key(one.group(), one.partition())), null);
        } else if (event instanceof GroupEvent.Pending one) {
            return entry(
                    pendingKey(one.producerId(), one.group(), one.partition()),
                    record(one.offset())
                            .setProducerEpoch(one.producerEpoch())
                            .build()
                            .toByteArray());
        } else if (event instanceof GroupEvent.PendingOver one) {
            return entry(pendingKey(one.producerId(), one.group(), one.partition()), null);
        } else if (event instanceof GroupEvent.Read one) {
            return entry(GroupLogKey.newBuilder().setRead(one.group()), null);
        }
        return Optional.empty();
    }

    private static Optional<Entry> entry(GroupLogKey.Builder key, byte[] value) {
        return Optional.of(new Entry(key.build().toByteArray(), value));
    }

    private static GroupLogKey.Builder groupKey(String group) {
        return GroupLogKey.newBuilder().setGroup(group);
    }

    private static OffsetKey key(String group, TopicPartition partition) {
        return OffsetKey.newBuilder()
                .setGroup(group)
                .setTopic(partition.topic())
                .setPartition(partition.partition())
                .build();
    }

    private static GroupLogKey.Builder pendingKey(long producerId, String group, TopicPartition partition) {
        return GroupLogKey.newBuilder()
                .setPending(PendingKey.newBuilder().setProducerId(producerId).setOffset(key(group, partition)));
    }

    private static OffsetRecord.Builder record(Offset offset) {
        return OffsetRecord.newBuilder()
                .setOffset(offset.offset())
                .setLeaderEpoch(offset.leaderEpoch())
                .setMetadata(offset.metadata())
                .setCommittedMs(offset.committedMs());
    }

    private static GroupRecord record(Group group) {
        GroupRecord.Builder record = GroupRecord.newBuilder()
                .setProtocolType(group.protocolType())
                .setGeneration(group.generation())
                .setProtocol(group.protocol() == null ? "" : group.protocol())
                .setLeader(group.leader() == null ? "" : group.leader())
                .setChangedMs(group.changedMs());
        group.members().values().forEach(member -> record.addMembers(record(member)));
        return record.build();
    }

    private static MemberRecord record(Member member) {
        MemberRecord.Builder record = MemberRecord.newBuilder()
                .setId(member.id())
                .setClientId(member.clientId())
                .setClientHost(member.clientHost())
                .setRebalanceTimeoutMs(member.rebalanceTimeoutMs())
                .setSessionTimeoutMs(member.sessionTimeoutMs())
                .setAssignment(ByteString.copyFrom(member.assignment()));
        if (member.instanceId() != null) {
            record.setInstanceId(member.instanceId());
        }
        member.protocols()
                .forEach(protocol -> record.addProtocols(ProtocolRecord.newBuilder()
                        .setName(protocol.name())
                        .setMetadata(ByteString.copyFrom(protocol.metadata()))));
        return record.build();
    }

    @Override
    public GroupEvent decode(Entry entry) {
        try {
            GroupLogKey key = GroupLogKey.parseFrom(entry.key());
            return switch (key.getOfCase()) {
                case GROUP -> group(key.getGroup(), entry.value());
                case OFFSET -> offset(key.getOffset(), entry.value());
                case PENDING -> pending(key.getPending(), entry.value());
                case READ -> new GroupEvent.Read(key.getRead());
                case OF_NOT_SET -> throw new IllegalArgumentException("a group record with an unknown key");
            };
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("a group record that cannot be read: " + e.getMessage(), e);
        }
    }

    private static GroupEvent offset(OffsetKey key, byte[] value) throws InvalidProtocolBufferException {
        if (value == null) {
            return new GroupEvent.Forgotten(key.getGroup(), partition(key));
        }
        return new GroupEvent.Committed(key.getGroup(), partition(key), offset(OffsetRecord.parseFrom(value)));
    }

    private static GroupEvent pending(PendingKey key, byte[] value) throws InvalidProtocolBufferException {
        OffsetKey offset = key.getOffset();
        if (value == null) {
            return new GroupEvent.PendingOver(key.getProducerId(), offset.getGroup(), partition(offset));
        }
        OffsetRecord record = OffsetRecord.parseFrom(value);
        return new GroupEvent.Pending(
                key.getProducerId(),
                (short) record.getProducerEpoch(),
                offset.getGroup(),
                partition(offset),
                offset(record));
    }

    private static TopicPartition partition(OffsetKey key) {
        return new TopicPartition(key.getTopic(), key.getPartition());
    }

    private static Offset offset(OffsetRecord record) {
        return new Offset(record.getOffset(), record.getLeaderEpoch(), record.getMetadata(), record.getCommittedMs());
    }

    private static GroupEvent group(String id, byte[] value) throws InvalidProtocolBufferException {
        if (value == null) {
            return new GroupEvent.Removed(id);
        }
        GroupRecord record = GroupRecord.parseFrom(value);
        SortedMap<String, Member> members = new TreeMap<>();
        record.getMembersList().forEach(member -> members.put(member.getId(), member(member)));
        Group group = new Group(
                id,
                record.getProtocolType(),
                record.getGeneration(),
                members.isEmpty() ? GroupState.EMPTY : GroupState.STABLE,
                orNull(record.getProtocol()),
                orNull(record.getLeader()),
                members,
                new TreeMap<>(),
                Long.MAX_VALUE,
                false,
                record.getChangedMs());
        return new GroupEvent.Replaced(group, true);
    }

    private static Member member(MemberRecord record) {
        List<Member.Protocol> protocols = new ArrayList<>();
        record.getProtocolsList()
                .forEach(protocol -> protocols.add(new Member.Protocol(
                        protocol.getName(), protocol.getMetadata().toByteArray())));
        return new Member(
                record.getId(),
                record.hasInstanceId() ? record.getInstanceId() : null,
                record.getClientId(),
                record.getClientHost(),
                record.getRebalanceTimeoutMs(),
                record.getSessionTimeoutMs(),
                protocols,
                record.getAssignment().toByteArray(),
                Long.MAX_VALUE, // its session begins when the coordinator is loaded
                null,
                null);
    }

    private static String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
