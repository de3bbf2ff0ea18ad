package io.millrace.broker;

import io.millrace.broker.log.BatchBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** Requests as the tests need them. */
final class Calls {
    /** The newest version that names topics by name. */
    static final int PRODUCE = 12;

    /** From before the produce itself made a partition part of its transaction. */
    static final int PRODUCE_OLD = 11;

    static final int FETCH = 12;
    static final int LIST_OFFSETS = 9;
    static final int END_TXN = 5;
    static final int END_TXN_OLD = 4;
    static final int INIT = 5;
    static final int CREATE_TOPICS = 7;
    static final int FIND_COORDINATOR = 6;
    private static final int TIMEOUT_MS = 30_000;

    private Calls() {}

    static CreateTopicsRequestData createTopic(String name, int partitions) {
        CreateTopicsRequestData request = new CreateTopicsRequestData().setTimeoutMs(TIMEOUT_MS);
        request.topics()
                .add(new CreatableTopic()
                        .setName(name)
                        .setNumPartitions(partitions)
                        .setReplicationFactor((short) 1));
        return request;
    }

    /** @param type 0 for a group, 1 for a transactional id */
    static FindCoordinatorRequestData findCoordinator(String key, int type) {
        return new FindCoordinatorRequestData().setKeyType((byte) type).setCoordinatorKeys(List.of(key));
    }

    static InitProducerIdRequestData init(String transactionalId, int timeoutMs) {
        return new InitProducerIdRequestData()
                .setTransactionalId(transactionalId)
                .setTransactionTimeoutMs(timeoutMs)
                .setProducerId(-1)
                .setProducerEpoch((short) -1);
    }

    static EndTxnRequestData end(String transactionalId, long producerId, int epoch, boolean commit) {
        return new EndTxnRequestData()
                .setTransactionalId(transactionalId)
                .setProducerId(producerId)
                .setProducerEpoch((short) epoch)
                .setCommitted(commit);
    }

    /** One batch with a record for each value; not sequenced where the producer id is -1. */
    static ProduceRequestData produce(
            String topic, int partition, String transactionalId, Sender sender, String... values) {
        BatchBuilder batch = new BatchBuilder();
        if (sender.producerId() >= 0) {
            batch.producer(sender.producerId(), (short) sender.epoch(), sender.sequence());
        }
        if (transactionalId != null) {
            batch.transactional();
        }
        for (String value : values) {
            batch.add(1_000_000_000_000L, null, value.getBytes(StandardCharsets.UTF_8));
        }
        return produce(topic, partition, transactionalId, batch.build());
    }

    static ProduceRequestData produce(String topic, int partition, String transactionalId, ByteBuffer batch) {
        ProduceRequestData request = new ProduceRequestData()
                .setAcks((short) -1)
                .setTimeoutMs(TIMEOUT_MS)
                .setTransactionalId(transactionalId);
        request.topicData()
                .add(new TopicProduceData()
                        .setName(topic)
                        .setPartitionData(List.of(new PartitionProduceData()
                                .setIndex(partition)
                                .setRecords(MemoryRecords.readableRecords(batch)))));
        return request;
    }

    static FetchRequestData fetch(String topic, int partition, long offset, IsolationLevel isolation, int waitMs) {
        FetchRequestData request = new FetchRequestData()
                .setMaxWaitMs(waitMs)
                .setMinBytes(1)
                .setMaxBytes(1 << 20)
                .setIsolationLevel(isolation.id())
                .setSessionEpoch(-1);
        request.topics()
                .add(new FetchTopic()
                        .setTopic(topic)
                        .setPartitions(List.of(new FetchPartition()
                                .setPartition(partition)
                                .setFetchOffset(offset)
                                .setPartitionMaxBytes(1 << 20))));
        return request;
    }

    static ListOffsetsRequestData latest(String topic, int partition, IsolationLevel isolation) {
        return new ListOffsetsRequestData()
                .setReplicaId(-1)
                .setIsolationLevel(isolation.id())
                .setTopics(List.of(new ListOffsetsTopic()
                        .setName(topic)
                        .setPartitions(List.of(new ListOffsetsPartition()
                                .setPartitionIndex(partition)
                                .setTimestamp(-1)))));
    }

    /** Who sends a batch, and the sequence of its first record. */
    record Sender(long producerId, int epoch, int sequence) {
        static final Sender NOBODY = new Sender(-1, -1, -1);
    }
}
