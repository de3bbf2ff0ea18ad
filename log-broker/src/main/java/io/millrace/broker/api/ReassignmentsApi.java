package io.millrace.broker.api;

import io.millrace.broker.metadata.ControllerCommand;
import io.millrace.broker.metadata.ControllerCommand.Elected;
import io.millrace.broker.metadata.ControllerCommand.Reassignment;
import io.millrace.broker.metadata.Outcome;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.server.RequestContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData.ReassignablePartitionResponse;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData.ReassignableTopicResponse;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.ElectLeadersResponseData;
import org.apache.kafka.common.message.ElectLeadersResponseData.PartitionResult;
import org.apache.kafka.common.message.ElectLeadersResponseData.ReplicaElectionResult;
import org.apache.kafka.common.message.ListPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.ListPartitionReassignmentsResponseData;
import org.apache.kafka.common.message.ListPartitionReassignmentsResponseData.OngoingPartitionReassignment;
import org.apache.kafka.common.message.ListPartitionReassignmentsResponseData.OngoingTopicReassignment;

/** Partitions get other replicas (KIP-455) and other leaders (KIP-460). */
final class ReassignmentsApi {
    private final ApiContext context;

    ReassignmentsApi(ApiContext context) {
        this.context = context;
    }

    CompletableFuture<AlterPartitionReassignmentsResponseData> alter(RequestContext request) {
        AlterPartitionReassignmentsRequestData body = request.body(AlterPartitionReassignmentsRequestData.class);
        List<Reassignment> changes = new ArrayList<>();
        body.topics()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> changes.add(
                                new Reassignment(topic.name(), partition.partitionIndex(), partition.replicas()))));
        return context.controller()
                .<List<Outcome<PartitionImage>>>ask(reply ->
                        new ControllerCommand.AlterReassignments(changes, body.allowReplicationFactorChange(), reply))
                .thenApply(outcomes -> altered(changes, outcomes));
    }

    private static AlterPartitionReassignmentsResponseData altered(
            List<Reassignment> changes, List<Outcome<PartitionImage>> outcomes) {
        Map<String, ReassignableTopicResponse> topics = new LinkedHashMap<>();
        for (int i = 0; i < changes.size(); i++) {
            topics.computeIfAbsent(changes.get(i).topic(), name -> new ReassignableTopicResponse().setName(name))
                    .partitions()
                    .add(new ReassignablePartitionResponse()
                            .setPartitionIndex(changes.get(i).partition())
                            .setErrorCode(outcomes.get(i).error().code())
                            .setErrorMessage(outcomes.get(i).message()));
        }
        return new AlterPartitionReassignmentsResponseData().setResponses(new ArrayList<>(topics.values()));
    }

    CompletableFuture<ListPartitionReassignmentsResponseData> list(RequestContext request) {
        ListPartitionReassignmentsRequestData body = request.body(ListPartitionReassignmentsRequestData.class);
        ListPartitionReassignmentsResponseData response = new ListPartitionReassignmentsResponseData();
        if (body.topics() == null) {
            context.image().topics().values().forEach(topic -> add(response, topic, topic.partitions()));
        } else {
            body.topics().forEach(wanted -> {
                TopicImage topic = context.image().topic(wanted.name());
                if (topic != null) {
                    add(
                            response,
                            topic,
                            topic.partitions().stream()
                                    .filter(one -> wanted.partitionIndexes().contains(one.index()))
                                    .toList());
                }
            });
        }
        return Gather.now(response);
    }

    private static void add(
            ListPartitionReassignmentsResponseData response, TopicImage topic, List<PartitionImage> partitions) {
        List<OngoingPartitionReassignment> ongoing = partitions.stream()
                .filter(PartitionImage::isReassigning)
                .map(one -> new OngoingPartitionReassignment()
                        .setPartitionIndex(one.index())
                        .setReplicas(one.replicas())
                        .setAddingReplicas(one.adding())
                        .setRemovingReplicas(one.removing()))
                .toList();
        if (!ongoing.isEmpty()) {
            response.topics()
                    .add(new OngoingTopicReassignment().setName(topic.name()).setPartitions(ongoing));
        }
    }

    CompletableFuture<ElectLeadersResponseData> elect(RequestContext request) {
        ElectLeadersRequestData body = request.body(ElectLeadersRequestData.class);
        List<TopicPartition> wanted = null;
        if (body.topicPartitions() != null) {
            List<TopicPartition> named = new ArrayList<>();
            body.topicPartitions()
                    .forEach(topic ->
                            topic.partitions().forEach(index -> named.add(new TopicPartition(topic.topic(), index))));
            wanted = named;
        }
        List<TopicPartition> partitions = wanted;
        ElectionType type = ElectionType.valueOf(body.electionType());
        return context.controller()
                .<List<Elected>>ask(reply -> new ControllerCommand.ElectLeaders(type, partitions, reply))
                .thenApply(ReassignmentsApi::elected);
    }

    private static ElectLeadersResponseData elected(List<Elected> elections) {
        Map<String, ReplicaElectionResult> topics = new LinkedHashMap<>();
        elections.forEach(one -> topics.computeIfAbsent(
                        one.partition().topic(), name -> new ReplicaElectionResult().setTopic(name))
                .partitionResult()
                .add(new PartitionResult()
                        .setPartitionId(one.partition().partition())
                        .setErrorCode(one.outcome().error().code())
                        .setErrorMessage(one.outcome().message())));
        return new ElectLeadersResponseData().setReplicaElectionResults(new ArrayList<>(topics.values()));
    }
}
