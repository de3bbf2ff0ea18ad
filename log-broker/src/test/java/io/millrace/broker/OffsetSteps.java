package io.millrace.broker;

import java.util.List;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestPartition;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopic;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.protocol.Errors;

/** What tests do with the offsets of one group, for partition 0 of topics. */
final class OffsetSteps {
    private static final int COMMIT = 9;
    private static final int COMMIT_IN_TRANSACTION = 5;
    private static final int FETCH = 9;
    private static final int DELETE_GROUPS = 2;
    private static final int DELETE_OFFSETS = 0;
    private static final int DELETE_TOPICS = 6;

    private final SimBroker.Client client;
    private final String group;

    OffsetSteps(SimBroker.Client client, String group) {
        this.client = client;
        this.group = group;
        client.call(Calls.findCoordinator(group, 0), Calls.FIND_COORDINATOR, FindCoordinatorResponseData.class);
    }

    /** Somebody who is no member, as tools are. */
    Errors commit(String topic, long offset) {
        return commit("", -1, topic, offset);
    }

    Errors commit(String memberId, int generation, String topic, long offset) {
        OffsetCommitRequestData request = new OffsetCommitRequestData()
                .setGroupId(group)
                .setMemberId(memberId)
                .setGenerationIdOrMemberEpoch(generation)
                .setTopics(List.of(new OffsetCommitRequestTopic()
                        .setName(topic)
                        .setPartitions(List.of(new OffsetCommitRequestPartition()
                                .setPartitionIndex(0)
                                .setCommittedOffset(offset)))));
        OffsetCommitResponseData answer = client.call(request, COMMIT, OffsetCommitResponseData.class);
        return Errors.forCode(answer.topics().get(0).partitions().get(0).errorCode());
    }

    Errors commitInTransaction(
            String transactionalId,
            InitProducerIdResponseData producer,
            String memberId,
            int generation,
            String topic,
            long offset) {
        TxnOffsetCommitRequestData request = new TxnOffsetCommitRequestData()
                .setGroupId(group)
                .setTransactionalId(transactionalId)
                .setProducerId(producer.producerId())
                .setProducerEpoch(producer.producerEpoch())
                .setMemberId(memberId)
                .setGenerationIdOrMemberEpoch(generation)
                .setTopics(List.of(new TxnOffsetCommitRequestTopic()
                        .setName(topic)
                        .setPartitions(List.of(new TxnOffsetCommitRequestPartition()
                                .setPartitionIndex(0)
                                .setCommittedOffset(offset)))));
        TxnOffsetCommitResponseData answer =
                client.call(request, COMMIT_IN_TRANSACTION, TxnOffsetCommitResponseData.class);
        return Errors.forCode(answer.topics().get(0).partitions().get(0).errorCode());
    }

    /** -1 where there is none. */
    long committed(String topic) {
        OffsetFetchResponsePartitions answer = fetch(topic, false);
        SimClientSteps.check(answer.errorCode());
        return answer.committedOffset();
    }

    /** What a reader is told that must not see an offset which is about to change. */
    Errors stability(String topic) {
        return Errors.forCode(fetch(topic, true).errorCode());
    }

    private OffsetFetchResponsePartitions fetch(String topic, boolean stable) {
        OffsetFetchRequestData request = new OffsetFetchRequestData()
                .setRequireStable(stable)
                .setGroups(List.of(new OffsetFetchRequestGroup()
                        .setGroupId(group)
                        .setTopics(List.of(
                                new OffsetFetchRequestTopics().setName(topic).setPartitionIndexes(List.of(0))))));
        OffsetFetchResponseData answer = client.call(request, FETCH, OffsetFetchResponseData.class);
        SimClientSteps.check(answer.groups().get(0).errorCode());
        return answer.groups().get(0).topics().get(0).partitions().get(0);
    }

    Errors deleteGroup() {
        DeleteGroupsRequestData request = new DeleteGroupsRequestData().setGroupsNames(List.of(group));
        DeleteGroupsResponseData answer = client.call(request, DELETE_GROUPS, DeleteGroupsResponseData.class);
        return Errors.forCode(answer.results().find(group).errorCode());
    }

    Errors deleteOffset(String topic) {
        OffsetDeleteRequestData request = new OffsetDeleteRequestData().setGroupId(group);
        request.topics()
                .add(new OffsetDeleteRequestTopic()
                        .setName(topic)
                        .setPartitions(List.of(new OffsetDeleteRequestPartition().setPartitionIndex(0))));
        OffsetDeleteResponseData answer = client.call(request, DELETE_OFFSETS, OffsetDeleteResponseData.class);
        SimClientSteps.check(answer.errorCode());
        return Errors.forCode(answer.topics().find(topic).partitions().find(0).errorCode());
    }

    void deleteTopic(String topic) {
        DeleteTopicsRequestData request = new DeleteTopicsRequestData().setTimeoutMs(30_000);
        request.topics().add(new DeleteTopicState().setName(topic));
        DeleteTopicsResponseData answer = client.call(request, DELETE_TOPICS, DeleteTopicsResponseData.class);
        SimClientSteps.check(answer.responses().find(topic).errorCode());
    }
}
