package io.millrace.broker.api;

import io.millrace.broker.log.ProducerState;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.partition.Ask;
import io.millrace.broker.partition.DeleteRecords;
import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.server.RequestContext;
import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsPartitionResult;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsTopicResult;
import org.apache.kafka.common.message.DescribeLogDirsRequestData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsPartition;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsTopic;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.DescribeProducersResponseData.PartitionResponse;
import org.apache.kafka.common.message.DescribeProducersResponseData.TopicResponse;

/** What administrators do with single partitions: cut off old records, see sizes and producers. */
final class PartitionsApi {
    private final ApiContext context;

    PartitionsApi(ApiContext context) {
        this.context = context;
    }

    CompletableFuture<DeleteRecordsResponseData> deleteRecords(RequestContext request) {
        DeleteRecordsRequestData body = request.body(DeleteRecordsRequestData.class);
        List<CompletableFuture<DeleteRecordsTopicResult>> topics = new ArrayList<>();
        body.topics().forEach(topic -> {
            List<CompletableFuture<DeleteRecordsPartitionResult>> partitions = topic.partitions().stream()
                    .map(partition -> deleteRecords(topic.name(), partition))
                    .toList();
            topics.add(Gather.all(partitions).thenApply(all -> {
                DeleteRecordsTopicResult result = new DeleteRecordsTopicResult().setName(topic.name());
                all.forEach(result.partitions()::add);
                return result;
            }));
        });
        return Gather.all(topics).thenApply(all -> {
            DeleteRecordsResponseData response = new DeleteRecordsResponseData();
            all.forEach(response.topics()::add);
            return response;
        });
    }

    private CompletableFuture<DeleteRecordsPartitionResult> deleteRecords(String topic, DeleteRecordsPartition wanted) {
        DeleteRecordsPartitionResult result = new DeleteRecordsPartitionResult()
                .setPartitionIndex(wanted.partitionIndex())
                .setLowWatermark(-1);
        TopicPartition name = new TopicPartition(topic, wanted.partitionIndex());
        PartitionRegistry.Place place = context.partitions().find(name);
        ErrorCode refusal = place == null ? missing(name) : Topics.leaderRefusal(place, -1);
        if (refusal != ErrorCode.NONE) {
            return Gather.now(result.setErrorCode(refusal.code()));
        }
        CompletableFuture<OptionalLong> reply = new CompletableFuture<>();
        place.shard().submit(new DeleteRecords(name, wanted.offset(), reply));
        return reply.thenApply(start -> {
            if (start == null) {
                return result.setErrorCode(ErrorCode.NOT_LEADER_OR_FOLLOWER.code());
            }
            return start.isPresent()
                    ? result.setLowWatermark(start.getAsLong())
                    : result.setErrorCode(ErrorCode.OFFSET_OUT_OF_RANGE.code());
        });
    }

    CompletableFuture<DescribeLogDirsResponseData> describeLogDirs(RequestContext request) {
        DescribeLogDirsRequestData body = request.body(DescribeLogDirsRequestData.class);
        Set<TopicPartition> wanted = new HashSet<>();
        if (body.topics() != null) {
            body.topics()
                    .forEach(topic -> topic.partitions()
                            .forEach(partition -> wanted.add(new TopicPartition(topic.topic(), partition))));
        }
        List<CompletableFuture<Size>> sizes = context.partitions().all().stream()
                .map(place -> place.partition().name())
                .filter(name -> body.topics() == null || wanted.contains(name))
                .sorted(Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition))
                .map(name -> ask(name, partition -> partition.log().sizeBytes())
                        .thenApply(answer -> new Size(name, answer.value() == null ? 0 : answer.value())))
                .toList();
        return Gather.all(sizes).thenApply(all -> {
            DescribeLogDirsResult result =
                    new DescribeLogDirsResult().setLogDir(context.dataFolder().toString());
            Map<String, DescribeLogDirsTopic> topics = new LinkedHashMap<>();
            all.forEach(size -> topics.computeIfAbsent(
                            size.partition().topic(), name -> new DescribeLogDirsTopic().setName(name))
                    .partitions()
                    .add(new DescribeLogDirsPartition()
                            .setPartitionIndex(size.partition().partition())
                            .setPartitionSize(size.bytes())));
            result.topics().addAll(topics.values());
            return new DescribeLogDirsResponseData().setResults(List.of(result));
        });
    }

    CompletableFuture<DescribeProducersResponseData> describeProducers(RequestContext request) {
        DescribeProducersRequestData body = request.body(DescribeProducersRequestData.class);
        List<CompletableFuture<TopicResponse>> topics = new ArrayList<>();
        body.topics().forEach(topic -> {
            List<CompletableFuture<PartitionResponse>> partitions = topic.partitionIndexes().stream()
                    .map(index -> describeProducers(new TopicPartition(topic.name(), index)))
                    .toList();
            topics.add(Gather.all(partitions)
                    .thenApply(all -> new TopicResponse().setName(topic.name()).setPartitions(all)));
        });
        return Gather.all(topics).thenApply(all -> new DescribeProducersResponseData().setTopics(all));
    }

    private CompletableFuture<PartitionResponse> describeProducers(TopicPartition name) {
        PartitionResponse response = new PartitionResponse().setPartitionIndex(name.partition());
        return ask(name, partition -> {
                    List<DescribeProducersResponseData.ProducerState> producers = new ArrayList<>();
                    for (ProducerState producer : partition.log().producers()) {
                        producers.add(new DescribeProducersResponseData.ProducerState()
                                .setProducerId(producer.producerId())
                                .setProducerEpoch(producer.epoch())
                                .setLastSequence(producer.lastSequence())
                                .setLastTimestamp(producer.lastTimestamp())
                                .setCoordinatorEpoch(producer.coordinatorEpoch())
                                .setCurrentTxnStartOffset(producer.transactionFirstOffset()));
                    }
                    producers.sort(Comparator.comparingLong(DescribeProducersResponseData.ProducerState::producerId));
                    return response.setActiveProducers(producers);
                })
                .thenApply(answer -> answer.error() == ErrorCode.NONE
                        ? answer.value()
                        : response.setErrorCode(answer.error().code()));
    }

    /** Asks a partition on its shard; the error says why it could not be asked. */
    private <T> CompletableFuture<Answer<T>> ask(TopicPartition name, Function<Partition, T> question) {
        PartitionRegistry.Place place = context.partitions().find(name);
        if (place == null) {
            return Gather.now(new Answer<>(missing(name), null));
        }
        CompletableFuture<Answer<T>> reply = new CompletableFuture<>();
        place.shard()
                .submit(new Ask<>(
                        name,
                        partition -> partition == null
                                ? new Answer<T>(ErrorCode.NOT_LEADER_OR_FOLLOWER, null)
                                : new Answer<>(ErrorCode.NONE, question.apply(partition)),
                        reply));
        return reply;
    }

    private ErrorCode missing(TopicPartition name) {
        TopicImage topic = context.image().topic(name.topic());
        return topic == null ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION : Topics.missing(topic, name.partition());
    }

    private record Answer<T>(ErrorCode error, T value) {}

    private record Size(TopicPartition partition, long bytes) {}
}
