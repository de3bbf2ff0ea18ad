package io.millrace.broker.api;

import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.partition.Produce;
import io.millrace.broker.server.NoResponse;
import io.millrace.broker.server.RequestContext;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.broker.wire.ProducedRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.ApiMessage;

/** Records come in. */
final class ProduceApi {
    private static final short ALL = -1;
    private static final short NONE = 0;
    private static final short LEADER = 1;
    /** From this version on the produce itself makes its partitions part of the transaction (KIP-890). */
    private static final short JOINS_SINCE = 12;

    private static final short LEADERS_SINCE = 10;

    private final ApiContext context;

    ProduceApi(ApiContext context) {
        this.context = context;
    }

    CompletionStage<? extends ApiMessage> produce(RequestContext request) {
        ProduceRequestData body = request.body(ProduceRequestData.class);
        Produce.Transaction transaction = body.transactionalId() == null
                ? null
                : new Produce.Transaction(body.transactionalId(), request.version() >= JOINS_SINCE);
        ClusterImage image = context.image();
        List<CompletableFuture<TopicProduceResponse>> topics = new ArrayList<>();
        for (TopicProduceData topic : body.topicData()) {
            topics.add(produce(request, body, topic, image, transaction));
        }
        CompletableFuture<ProduceResponseData> response = Gather.all(topics).thenApply(all -> {
            ProduceResponseData data = new ProduceResponseData();
            all.forEach(data.responses()::add);
            if (request.version() >= LEADERS_SINCE) {
                tellLeaders(data);
            }
            return data;
        });
        return body.acks() == NONE
                ? unacknowledged(request, response)
                : response.thenCompose(data -> sentAway(request, data) ? NoResponse.get() : Gather.now(data));
    }

    private CompletableFuture<TopicProduceResponse> produce(
            RequestContext request,
            ProduceRequestData body,
            TopicProduceData topic,
            ClusterImage image,
            Produce.Transaction transaction) {
        TopicImage known = Topics.find(image, topic.name(), topic.topicId());
        List<CompletableFuture<PartitionProduceResponse>> partitions = new ArrayList<>();
        for (PartitionProduceData partition : topic.partitionData()) {
            ErrorCode refusal = refusal(body, topic, known);
            CompletableFuture<Produce.Reply> reply = refusal == ErrorCode.NONE
                    ? append(request, body, Topics.partition(known, partition.index()), partition, transaction)
                    : Gather.now(Produce.Reply.refused(refusal, null));
            partitions.add(reply.thenApply(answer -> worded(partition.index(), answer)));
        }
        return Gather.all(partitions)
                .thenApply(all -> new TopicProduceResponse()
                        .setName(topic.name())
                        .setTopicId(topic.topicId())
                        .setPartitionResponses(all));
    }

    private static ErrorCode refusal(ProduceRequestData body, TopicProduceData topic, TopicImage known) {
        if (body.acks() != ALL && body.acks() != NONE && body.acks() != LEADER) {
            return ErrorCode.INVALID_REQUIRED_ACKS;
        }
        if (known == null) {
            return Topics.unknown(topic.topicId());
        }
        return known.internal() ? ErrorCode.INVALID_TOPIC_EXCEPTION : ErrorCode.NONE;
    }

    private CompletableFuture<Produce.Reply> append(
            RequestContext request,
            ProduceRequestData body,
            TopicPartition partition,
            PartitionProduceData data,
            Produce.Transaction transaction) {
        PartitionRegistry.Place place = context.partitions().find(partition);
        if (place == null) {
            boolean exists = context.image().partition(partition.topic(), partition.partition()) != null;
            ErrorCode error = exists ? ErrorCode.NOT_LEADER_OR_FOLLOWER : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
            return Gather.now(Produce.Reply.refused(error, null));
        }
        CompletableFuture<Produce.Reply> reply = new CompletableFuture<>();
        Produce produce = new Produce(
                partition, ProducedRecords.of(data), body.acks() == ALL, body.timeoutMs(), transaction, reply);
        if (!place.shard().handOver(produce)) {
            request.memory().congested();
        }
        return reply.thenApply(answer -> {
            if (answer.error() == ErrorCode.NOT_LEADER_OR_FOLLOWER
                    && place.partition().isCutOff()) {
                request.memory().end(); // see sentAway
            }
            return answer;
        });
    }

    /**
     * Whether the producer is to hear nothing but the end of its connection, as when a broker dies: it then asks another
     * one who leads. After an answer it would ask here, where nobody knows, and lose that question with the connection;
     * Kafka's client then waits before it asks again, and tries to connect here for all that time, which it may do in vain
     * for minutes.
     */
    private static boolean sentAway(RequestContext request, ProduceResponseData data) {
        return request.memory().isEnding()
                && data.responses().stream()
                        .flatMap(topic -> topic.partitionResponses().stream())
                        .allMatch(partition -> partition.errorCode() == ErrorCode.NOT_LEADER_OR_FOLLOWER.code());
    }

    private static PartitionProduceResponse worded(int index, Produce.Reply answer) {
        return new PartitionProduceResponse()
                .setIndex(index)
                .setErrorCode(answer.error().code())
                .setErrorMessage(answer.message())
                .setBaseOffset(answer.baseOffset())
                .setLogAppendTimeMs(answer.appendTimeMs())
                .setLogStartOffset(answer.startOffset());
    }

    private void tellLeaders(ProduceResponseData data) {
        CurrentLeaders leaders = new CurrentLeaders(context.image());
        for (TopicProduceResponse topic : data.responses()) {
            String name = Topics.name(context.image(), topic.name(), topic.topicId());
            for (PartitionProduceResponse partition : topic.partitionResponses()) {
                PartitionImage now = leaders.worthTelling(ErrorCode.of(partition.errorCode()), name, partition.index());
                if (now != null) {
                    partition.setCurrentLeader(new ProduceResponseData.LeaderIdAndEpoch()
                            .setLeaderId(now.leader())
                            .setLeaderEpoch(now.leaderEpoch()));
                }
            }
        }
        leaders.endpoints()
                .forEach(broker -> data.nodeEndpoints()
                        .add(new ProduceResponseData.NodeEndpoint()
                                .setNodeId(broker.id())
                                .setHost(broker.host())
                                .setPort(broker.port())
                                .setRack(CurrentLeaders.rack(broker))));
    }

    /** A producer that wants no answers learns of an error only by losing its connection. */
    private static CompletionStage<ApiMessage> unacknowledged(
            RequestContext request, CompletableFuture<ProduceResponseData> response) {
        return response.thenCompose(data -> {
            boolean failed = data.responses().stream()
                    .flatMap(topic -> topic.partitionResponses().stream())
                    .anyMatch(partition -> partition.errorCode() != ErrorCode.NONE.code());
            if (failed) {
                request.connection().close();
            }
            return NoResponse.get();
        });
    }
}
