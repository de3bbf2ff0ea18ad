package io.millrace.broker;

import io.millrace.broker.Calls.Sender;
import java.util.List;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** A request that makes sense for each API in each version, about the topic "t", the group "g" and the id "tx". */
final class SampleRequests {
    private static final short PRODUCE_BY_ID_SINCE = 13;
    private static final short FETCH_BY_ID_SINCE = 13;
    private static final short COMMIT_BY_ID_SINCE = 10;
    private static final short BATCHED_FIND_SINCE = 4;
    private static final short BATCHED_OFFSETS_SINCE = 8;
    private static final short BATCHED_TXN_SINCE = 4;

    private final Uuid topicId;
    private int topics;

    SampleRequests(SimBroker.Client client) {
        SimClientSteps steps = new SimClientSteps(client);
        steps.createTopic("t", 1);
        steps.init("tx", 60_000);
        new OffsetSteps(client, "g").commit("t", 1);
        SimClientSteps.check(steps.produce("t", null, Sender.NOBODY, "one").errorCode());
        topicId = new TopicSteps(client).about("t").topicId();
    }

    ApiMessage request(short api, short version) {
        return switch (ApiKeys.forId(api)) {
            case PRODUCE -> produce(version);
            case FETCH -> fetch(version);
            case LIST_OFFSETS -> listOffsets();
            case METADATA -> new MetadataRequestData().setTopics(List.of(new MetadataRequestTopic().setName("t")));
            case CREATE_TOPICS -> createTopic(version);
            case FIND_COORDINATOR ->
                version < BATCHED_FIND_SINCE
                        ? new FindCoordinatorRequestData().setKey("g")
                        : Calls.findCoordinator("g", 0);
            case JOIN_GROUP -> join();
            case OFFSET_COMMIT -> commit(version);
            case OFFSET_FETCH ->
                version < BATCHED_OFFSETS_SINCE
                        ? new OffsetFetchRequestData().setGroupId("g")
                        : new OffsetFetchRequestData()
                                .setGroups(List.of(new OffsetFetchRequestGroup()
                                        .setGroupId("g")
                                        .setTopics(null)));
            case DESCRIBE_GROUPS -> new DescribeGroupsRequestData().setGroups(List.of("g", "unknown"));
            case DESCRIBE_CONFIGS ->
                new DescribeConfigsRequestData()
                        .setResources(List.of(new DescribeConfigsResource()
                                .setResourceType((byte) 2)
                                .setResourceName("t")
                                .setConfigurationKeys(null)));
            case ADD_PARTITIONS_TO_TXN -> addPartitions(version);
            default -> ApiMessageType.fromApiKey(api).newRequest();
        };
    }

    private ProduceRequestData produce(short version) {
        ProduceRequestData request = Calls.produce("t", 0, null, Sender.NOBODY, "value");
        if (version >= PRODUCE_BY_ID_SINCE) {
            request.topicData().forEach(topic -> topic.setTopicId(topicId).setName(""));
        }
        return request;
    }

    private FetchRequestData fetch(short version) {
        FetchRequestData request = Calls.fetch("t", 0, 0, IsolationLevel.READ_COMMITTED, 0);
        if (version >= FETCH_BY_ID_SINCE) {
            request.topics().forEach(topic -> topic.setTopicId(topicId).setTopic(""));
        }
        if (version < 4) {
            request.setIsolationLevel((byte) 0);
        }
        return request;
    }

    private static ListOffsetsRequestData listOffsets() {
        return Calls.latest("t", 0, IsolationLevel.READ_UNCOMMITTED);
    }

    private CreateTopicsRequestData createTopic(short version) {
        return Calls.createTopic("made-" + version + "-" + topics++, 1);
    }

    private static JoinGroupRequestData join() {
        JoinGroupRequestData request = new JoinGroupRequestData()
                .setGroupId("joined")
                .setSessionTimeoutMs(10_000)
                .setProtocolType("consumer");
        request.protocols().add(new JoinGroupRequestProtocol().setName("range").setMetadata(new byte[0]));
        return request;
    }

    private OffsetCommitRequestData commit(short version) {
        OffsetCommitRequestTopic topic = new OffsetCommitRequestTopic()
                .setPartitions(List.of(
                        new OffsetCommitRequestPartition().setPartitionIndex(0).setCommittedOffset(1)));
        if (version >= COMMIT_BY_ID_SINCE) {
            topic.setTopicId(topicId);
        } else {
            topic.setName("t");
        }
        return new OffsetCommitRequestData().setGroupId("g").setTopics(List.of(topic));
    }

    private static AddPartitionsToTxnRequestData addPartitions(short version) {
        AddPartitionsToTxnRequestData request = new AddPartitionsToTxnRequestData();
        if (version < BATCHED_TXN_SINCE) {
            return request.setV3AndBelowTransactionalId("tx");
        }
        request.transactions().add(new AddPartitionsToTxnTransaction().setTransactionalId("tx"));
        return request;
    }
}
