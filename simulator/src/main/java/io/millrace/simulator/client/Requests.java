package io.millrace.simulator.client;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** Requests as the workloads need them, in versions that name topics by name. */
public final class Requests {
    public static final int METADATA = 12;
    public static final int FIND_COORDINATOR = 6;
    public static final int CREATE_TOPICS = 7;
    public static final int PRODUCE = 12;
    public static final int FETCH = 12;
    public static final int INIT = 5;
    public static final int END_TXN = 5;
    public static final int TXN_OFFSET_COMMIT = 5;
    public static final int OFFSET_FETCH = 9;
    private static final int TIMEOUT_MS = 3_000;
    private static final int MAX_BYTES = 1 << 20;

    private Requests() {}

    /** What a coordinator coordinates, with the number that the protocol gives it. */
    public enum Kind {
        GROUP(0),
        TRANSACTION(1);

        private final byte code;

        Kind(int code) {
            this.code = (byte) code;
        }
    }

    static MetadataRequestData metadata(String topic) {
        return new MetadataRequestData()
                .setTopics(List.of(new MetadataRequestTopic().setName(topic)))
                .setAllowAutoTopicCreation(false);
    }

    public static FindCoordinatorRequestData findCoordinator(Kind kind, String key) {
        return new FindCoordinatorRequestData().setKeyType(kind.code).setCoordinatorKeys(List.of(key));
    }

    public static CreateTopicsRequestData createTopic(String name, int partitions, int replicas) {
        CreateTopicsRequestData request = new CreateTopicsRequestData().setTimeoutMs(TIMEOUT_MS);
        request.topics()
                .add(new CreatableTopic()
                        .setName(name)
                        .setNumPartitions(partitions)
                        .setReplicationFactor((short) replicas));
        return request;
    }

    /** @param transactionalId null for a producer that is idempotent alone */
    public static InitProducerIdRequestData init(String transactionalId, int timeoutMs) {
        return new InitProducerIdRequestData()
                .setTransactionalId(transactionalId)
                .setTransactionTimeoutMs(timeoutMs)
                .setProducerId(-1)
                .setProducerEpoch((short) -1);
    }

    public static EndTxnRequestData end(String transactionalId, Identity producer, boolean commit) {
        return new EndTxnRequestData()
                .setTransactionalId(transactionalId)
                .setProducerId(producer.id())
                .setProducerEpoch(producer.epoch())
                .setCommitted(commit);
    }

    /** @param acks -1 for all replicas, 1 for the leader alone */
    public static ProduceRequestData produce(
            TopicPartition partition, String transactionalId, ByteBuffer batch, short acks) {
        ProduceRequestData request =
                new ProduceRequestData().setAcks(acks).setTimeoutMs(TIMEOUT_MS).setTransactionalId(transactionalId);
        request.topicData()
                .add(new TopicProduceData()
                        .setName(partition.topic())
                        .setPartitionData(List.of(new PartitionProduceData()
                                .setIndex(partition.partition())
                                .setRecords(MemoryRecords.readableRecords(batch.duplicate())))));
        return request;
    }

    /** @param leaderEpoch the newest that the client knows of */
    public static FetchRequestData fetch(
            TopicPartition partition, int leaderEpoch, long offset, IsolationLevel isolation, int waitMs) {
        FetchRequestData request = new FetchRequestData()
                .setMaxWaitMs(waitMs)
                .setMinBytes(1)
                .setMaxBytes(MAX_BYTES)
                .setIsolationLevel(isolation.id())
                .setSessionEpoch(-1);
        request.topics()
                .add(new FetchTopic()
                        .setTopic(partition.topic())
                        .setPartitions(List.of(new FetchPartition()
                                .setPartition(partition.partition())
                                .setCurrentLeaderEpoch(leaderEpoch)
                                .setFetchOffset(offset)
                                .setPartitionMaxBytes(MAX_BYTES))));
        return request;
    }

    public static TxnOffsetCommitRequestData commitOffset(
            String transactionalId,
            Identity producer,
            GroupRequests.Membership member,
            TopicPartition partition,
            long offset) {
        return new TxnOffsetCommitRequestData()
                .setTransactionalId(transactionalId)
                .setGroupId(member.group())
                .setMemberId(member.id())
                .setGenerationIdOrMemberEpoch(member.generation())
                .setProducerId(producer.id())
                .setProducerEpoch(producer.epoch())
                .setTopics(List.of(new TxnOffsetCommitRequestTopic()
                        .setName(partition.topic())
                        .setPartitions(List.of(new TxnOffsetCommitRequestPartition()
                                .setPartitionIndex(partition.partition())
                                .setCommittedOffset(offset)
                                .setCommittedMetadata("")))));
    }

    public static OffsetFetchRequestData offset(String group, TopicPartition partition) {
        return new OffsetFetchRequestData()
                .setRequireStable(true)
                .setGroups(List.of(new OffsetFetchRequestGroup()
                        .setGroupId(group)
                        .setTopics(List.of(new OffsetFetchRequestTopics()
                                .setName(partition.topic())
                                .setPartitionIndexes(List.of(partition.partition()))))));
    }

    /** A producer as the cluster knows it. */
    public record Identity(long id, short epoch) {}
}
