package io.millrace.broker.api;

import io.millrace.broker.metadata.ControllerCommand;
import io.millrace.broker.metadata.Outcome;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.server.RequestContext;
import io.millrace.broker.settings.BrokerSettings;
import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreatePartitionsResponseData.CreatePartitionsTopicResult;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsResponseData.DeletableTopicResult;

/** Topics come, grow and go. */
final class TopicsApi {
    private final ApiContext context;
    private final TopicCreation creation;

    TopicsApi(ApiContext context, TopicCreation creation) {
        this.context = context;
        this.creation = creation;
    }

    CompletableFuture<CreateTopicsResponseData> create(RequestContext request) {
        CreateTopicsRequestData body = request.body(CreateTopicsRequestData.class);
        Set<String> seen = new HashSet<>();
        Set<String> twice = new HashSet<>();
        body.topics().forEach(topic -> {
            if (!seen.add(topic.name())) {
                twice.add(topic.name());
            }
        });
        List<CompletableFuture<CreatableTopicResult>> results = new ArrayList<>();
        for (CreatableTopic topic : body.topics()) {
            if (twice.contains(topic.name())) {
                String message = "topic " + topic.name() + " stands in the request more than once";
                results.add(Gather.now(result(topic.name(), ErrorCode.INVALID_REQUEST, message)));
            } else {
                results.add(create(topic, body.validateOnly()));
            }
        }
        return Gather.all(results).thenApply(all -> {
            CreateTopicsResponseData response = new CreateTopicsResponseData();
            all.forEach(response.topics()::add);
            return response;
        });
    }

    private CompletableFuture<CreatableTopicResult> create(CreatableTopic topic, boolean validateOnly) {
        Map<String, String> settings = new TreeMap<>();
        topic.configs().forEach(config -> {
            if (config.value() != null) {
                settings.put(config.name(), config.value());
            }
        });
        Map<Integer, List<Integer>> assignment = new HashMap<>();
        topic.assignments().forEach(one -> assignment.put(one.partitionIndex(), one.brokerIds()));
        return creation.<TopicImage>ask(reply -> new ControllerCommand.CreateTopic(
                        topic.name(),
                        topic.numPartitions(),
                        topic.replicationFactor(),
                        assignment,
                        settings,
                        validateOnly,
                        reply))
                .thenApply(outcome -> outcome instanceof Outcome.Done<TopicImage> done
                        ? created(done.value())
                        : result(topic.name(), outcome.error(), outcome.message()));
    }

    private CreatableTopicResult created(TopicImage topic) {
        return result(topic.name(), ErrorCode.NONE, null)
                .setTopicId(topic.id())
                .setNumPartitions(topic.partitions().size())
                .setReplicationFactor(
                        (short) topic.partitions().get(0).replicas().size())
                .setConfigs(SettingsOfTopic.created(topic, context.settings()));
    }

    private static CreatableTopicResult result(String name, ErrorCode error, String message) {
        return new CreatableTopicResult()
                .setName(name)
                .setErrorCode(error.code())
                .setErrorMessage(message);
    }

    CompletableFuture<DeleteTopicsResponseData> delete(RequestContext request) {
        DeleteTopicsRequestData body = request.body(DeleteTopicsRequestData.class);
        List<DeleteTopicState> wanted = new ArrayList<>(body.topics());
        body.topicNames().forEach(name -> wanted.add(new DeleteTopicState().setName(name)));
        List<CompletableFuture<DeletableTopicResult>> results =
                wanted.stream().map(this::delete).toList();
        return Gather.all(results).thenApply(all -> {
            DeleteTopicsResponseData response = new DeleteTopicsResponseData();
            all.forEach(response.responses()::add);
            return response;
        });
    }

    private CompletableFuture<DeletableTopicResult> delete(DeleteTopicState wanted) {
        TopicImage topic = Topics.find(context.image(), wanted.name(), wanted.topicId());
        DeletableTopicResult result =
                new DeletableTopicResult().setName(wanted.name()).setTopicId(wanted.topicId());
        if (topic == null) {
            return Gather.now(
                    result.setErrorCode(Topics.unknown(wanted.topicId()).code()));
        }
        if (topic.internal() || !context.settings().flag(BrokerSettings.DELETE_TOPICS)) {
            String message = topic.internal()
                    ? topic.name() + " is the broker's own"
                    : BrokerSettings.DELETE_TOPICS + " is false on this broker";
            return Gather.now(
                    result.setErrorCode(ErrorCode.INVALID_REQUEST.code()).setErrorMessage(message));
        }
        Uuid id = topic.id();
        return creation.<TopicImage>ask(reply -> new ControllerCommand.DeleteTopic(id, reply))
                .thenApply(outcome -> result.setName(topic.name())
                        .setTopicId(id)
                        .setErrorCode(outcome.error().code())
                        .setErrorMessage(outcome.message()));
    }

    CompletableFuture<CreatePartitionsResponseData> createPartitions(RequestContext request) {
        CreatePartitionsRequestData body = request.body(CreatePartitionsRequestData.class);
        List<CompletableFuture<CreatePartitionsTopicResult>> results = new ArrayList<>();
        body.topics().forEach(topic -> results.add(grow(topic, body.validateOnly())));
        return Gather.all(results).thenApply(all -> new CreatePartitionsResponseData().setResults(all));
    }

    private CompletableFuture<CreatePartitionsTopicResult> grow(CreatePartitionsTopic topic, boolean validateOnly) {
        List<List<Integer>> assignment = topic.assignments() == null
                ? List.of()
                : topic.assignments().stream()
                        .map(CreatePartitionsRequestData.CreatePartitionsAssignment::brokerIds)
                        .toList();
        return creation.<TopicImage>ask(reply -> new ControllerCommand.CreatePartitions(
                        topic.name(), topic.count(), assignment, validateOnly, reply))
                .thenApply(outcome -> new CreatePartitionsTopicResult()
                        .setName(topic.name())
                        .setErrorCode(outcome.error().code())
                        .setErrorMessage(outcome.message()));
    }
}
