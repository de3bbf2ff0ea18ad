package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Calls.Sender;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
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
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each version of each API that the broker says it serves gets an answer that can be read to its last byte. */
class EveryVersionTest {
    private static final short OLDEST_PRODUCE = 3;
    private static final short PRODUCE_BY_ID_SINCE = 13;
    private static final short FETCH_BY_ID_SINCE = 13;
    private static final short COMMIT_BY_ID_SINCE = 10;
    private static final short BATCHED_FIND_SINCE = 4;
    private static final short BATCHED_OFFSETS_SINCE = 8;
    private static final short BATCHED_TXN_SINCE = 4;

    private final SimBroker broker = new SimBroker(3, Map.of());
    private final SimBroker.Client client = broker.client();
    private final Uuid topicId;
    private int topics;

    EveryVersionTest() {
        SimClientSteps steps = new SimClientSteps(client);
        steps.createTopic("t", 1);
        steps.init("tx", 60_000);
        new OffsetSteps(client, "g").commit("t", 1);
        SimClientSteps.check(steps.produce("t", null, Sender.NOBODY, "one").errorCode());
        MetadataRequestData about =
                new MetadataRequestData().setTopics(List.of(new MetadataRequestTopic().setName("t")));
        topicId = client.call(about, 12, MetadataResponseData.class)
                .topics()
                .find("t")
                .topicId();
    }

    private List<ApiVersion> advertised() {
        ApiVersionsRequestData request =
                new ApiVersionsRequestData().setClientSoftwareName("test").setClientSoftwareVersion("1");
        return new ArrayList<>(
                client.call(request, 4, ApiVersionsResponseData.class).apiKeys());
    }

    @TestFactory
    Stream<DynamicTest> every_version_is_answered() {
        return advertised().stream().flatMap(api -> {
            List<DynamicTest> tests = new ArrayList<>();
            for (int version = oldest(api); version <= api.maxVersion(); version++) {
                short which = (short) version;
                String name = ApiKeys.forId(api.apiKey()).name + " v" + version;
                tests.add(DynamicTest.dynamicTest(name, () -> answered(api.apiKey(), which)));
            }
            return tests.stream();
        });
    }

    private static int oldest(ApiVersion api) {
        return api.apiKey() == ApiKeys.PRODUCE.id ? OLDEST_PRODUCE : api.minVersion();
    }

    private void answered(short api, short version) {
        ApiMessage answer = broker.client().call(request(api, version), version, ApiMessage.class);

        assertThat(answer.apiKey()).isEqualTo(api);
    }

    @Test
    void all_versions_of_the_message_definitions_are_served() {
        Map<Short, ApiVersion> served = new HashMap<>();
        advertised().forEach(api -> served.put(api.apiKey(), api));

        assertThat(served).hasSize(37);
        served.values().forEach(api -> {
            ApiMessageType type = ApiMessageType.fromApiKey(api.apiKey());
            assertThat(api.maxVersion()).as(type.name).isEqualTo(type.highestSupportedVersion(false));
        });
        assertThat(served.get(ApiKeys.PRODUCE.id).minVersion()).isZero();
    }

    private ApiMessage request(short api, short version) {
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
