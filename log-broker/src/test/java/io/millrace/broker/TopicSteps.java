package io.millrace.broker;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicConfig;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsPartitionResult;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.Errors;

/** What an administrator does with topics and settings, over a simulated connection. */
final class TopicSteps {
    static final byte TOPIC = 2;
    static final byte BROKER = 4;
    static final byte SET = 0;
    static final byte DELETE = 1;
    static final byte APPEND = 2;
    static final byte SUBTRACT = 3;
    private static final int TIMEOUT_MS = 30_000;
    private static final int METADATA = 12;

    private final SimBroker.Client client;

    TopicSteps(SimBroker.Client client) {
        this.client = client;
    }

    static CreatableTopic topic(String name, int partitions, Map<String, String> settings) {
        CreatableTopic topic =
                new CreatableTopic().setName(name).setNumPartitions(partitions).setReplicationFactor((short) -1);
        settings.forEach((key, value) ->
                topic.configs().add(new CreatableTopicConfig().setName(key).setValue(value)));
        return topic;
    }

    CreatableTopicResult create(CreatableTopic topic) {
        CreateTopicsRequestData request = new CreateTopicsRequestData().setTimeoutMs(TIMEOUT_MS);
        request.topics().add(topic);
        return client.call(request, Calls.CREATE_TOPICS, CreateTopicsResponseData.class)
                .topics()
                .find(topic.name());
    }

    CreatableTopicResult create(String name, int partitions, Map<String, String> settings) {
        return create(topic(name, partitions, settings));
    }

    Errors delete(String name) {
        DeleteTopicsRequestData request = new DeleteTopicsRequestData().setTimeoutMs(TIMEOUT_MS);
        request.topics().add(new DeleteTopicState().setName(name));
        return Errors.forCode(client.call(request, 6, DeleteTopicsResponseData.class)
                .responses()
                .find(name)
                .errorCode());
    }

    Errors grow(String name, int partitions) {
        CreatePartitionsRequestData request = new CreatePartitionsRequestData().setTimeoutMs(TIMEOUT_MS);
        request.topics()
                .add(new CreatePartitionsTopic()
                        .setName(name)
                        .setCount(partitions)
                        .setAssignments(null));
        return Errors.forCode(client.call(request, 3, CreatePartitionsResponseData.class)
                .results()
                .get(0)
                .errorCode());
    }

    MetadataResponseTopic about(String name) {
        return about(name, false);
    }

    MetadataResponseTopic about(String name, boolean mayBeCreated) {
        MetadataRequestData request = new MetadataRequestData()
                .setAllowAutoTopicCreation(mayBeCreated)
                .setTopics(List.of(new MetadataRequestTopic().setName(name)));
        return client.call(request, METADATA, MetadataResponseData.class)
                .topics()
                .find(name);
    }

    AlterConfigsResourceResponse alter(byte kind, String name, byte operation, String setting, String value) {
        AlterConfigsResource resource =
                new AlterConfigsResource().setResourceType(kind).setResourceName(name);
        resource.configs()
                .add(new AlterableConfig()
                        .setName(setting)
                        .setConfigOperation(operation)
                        .setValue(value));
        IncrementalAlterConfigsRequestData request = new IncrementalAlterConfigsRequestData();
        request.resources().add(resource);
        return client.call(request, 1, IncrementalAlterConfigsResponseData.class)
                .responses()
                .get(0);
    }

    /** All settings of a topic at once: what is not named is not set any more. */
    Errors replace(String topic, Map<String, String> settings) {
        AlterConfigsRequestData.AlterConfigsResource resource = new AlterConfigsRequestData.AlterConfigsResource()
                .setResourceType(TOPIC)
                .setResourceName(topic);
        settings.forEach((name, value) -> resource.configs()
                .add(new AlterConfigsRequestData.AlterableConfig().setName(name).setValue(value)));
        AlterConfigsRequestData request = new AlterConfigsRequestData();
        request.resources().add(resource);
        return Errors.forCode(client.call(request, 2, AlterConfigsResponseData.class)
                .responses()
                .get(0)
                .errorCode());
    }

    DescribeConfigsResourceResult setting(byte kind, String name, String setting) {
        DescribeConfigsRequestData request = new DescribeConfigsRequestData()
                .setResources(List.of(new DescribeConfigsResource()
                        .setResourceType(kind)
                        .setResourceName(name)
                        .setConfigurationKeys(List.of(setting))));
        return client.call(request, 4, DescribeConfigsResponseData.class)
                .results()
                .get(0)
                .configs()
                .get(0);
    }

    DeleteRecordsPartitionResult deleteRecords(String topic, long before) {
        DeleteRecordsRequestData request = new DeleteRecordsRequestData()
                .setTimeoutMs(TIMEOUT_MS)
                .setTopics(List.of(new DeleteRecordsTopic()
                        .setName(topic)
                        .setPartitions(List.of(new DeleteRecordsPartition()
                                .setPartitionIndex(0)
                                .setOffset(before)))));
        return client.call(request, 2, DeleteRecordsResponseData.class)
                .topics()
                .find(topic)
                .partitions()
                .find(0);
    }
}
