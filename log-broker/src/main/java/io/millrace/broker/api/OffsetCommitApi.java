package io.millrace.broker.api;

import io.millrace.broker.group.GroupAnswers.Committed;
import io.millrace.broker.group.GroupCommand;
import io.millrace.broker.group.GroupCommand.Caller;
import io.millrace.broker.group.Offset;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.server.RequestContext;
import io.millrace.broker.settings.BrokerSettings;
import io.millrace.broker.wire.ErrorCode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponsePartition;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponseTopic;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponsePartition;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponseTopic;

/** Groups commit their positions, at once or with a transaction. */
final class OffsetCommitApi {
    /** From this version on the commit itself makes the offsets part of the transaction (KIP-890). */
    private static final short JOINS_SINCE = 5;

    private static final short ABORTABLE_SINCE = 4;

    private final ApiContext context;

    OffsetCommitApi(ApiContext context) {
        this.context = context;
    }

    CompletableFuture<OffsetCommitResponseData> commit(RequestContext request) {
        OffsetCommitRequestData body = request.body(OffsetCommitRequestData.class);
        Wanted wanted = new Wanted(context);
        body.topics()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> wanted.add(
                                topic.name(),
                                topic.topicId(),
                                partition.partitionIndex(),
                                partition.committedOffset(),
                                partition.committedLeaderEpoch(),
                                partition.committedMetadata())));
        Caller caller =
                new Caller(body.groupId(), body.memberId(), body.groupInstanceId(), body.generationIdOrMemberEpoch());
        CompletableFuture<ErrorCode> answer = wanted.isEmpty()
                ? Gather.now(ErrorCode.NONE)
                : asked(context.groups()
                        .ask(body.groupId(), reply -> new GroupCommand.Commit(caller, wanted.offsets(), reply)));
        return answer.thenApply(error -> {
            OffsetCommitResponseData response = new OffsetCommitResponseData();
            body.topics().forEach(topic -> {
                OffsetCommitResponseTopic found =
                        new OffsetCommitResponseTopic().setName(topic.name()).setTopicId(topic.topicId());
                topic.partitions()
                        .forEach(partition -> found.partitions()
                                .add(new OffsetCommitResponsePartition()
                                        .setPartitionIndex(partition.partitionIndex())
                                        .setErrorCode(wanted.code(
                                                topic.name(), topic.topicId(), partition.partitionIndex(), error))));
                response.topics().add(found);
            });
            return response;
        });
    }

    CompletableFuture<TxnOffsetCommitResponseData> commitInTransaction(RequestContext request) {
        TxnOffsetCommitRequestData body = request.body(TxnOffsetCommitRequestData.class);
        Wanted wanted = new Wanted(context);
        body.topics()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> wanted.add(
                                topic.name(),
                                topic.topicId(),
                                partition.partitionIndex(),
                                partition.committedOffset(),
                                partition.committedLeaderEpoch(),
                                partition.committedMetadata())));
        Caller caller =
                new Caller(body.groupId(), body.memberId(), body.groupInstanceId(), body.generationIdOrMemberEpoch());
        CompletableFuture<ErrorCode> answer = wanted.isEmpty()
                ? Gather.now(ErrorCode.NONE)
                : asked(context.groups()
                        .ask(
                                body.groupId(),
                                reply -> new GroupCommand.CommitInTransaction(
                                        caller,
                                        body.transactionalId(),
                                        body.producerId(),
                                        body.producerEpoch(),
                                        request.version() >= JOINS_SINCE,
                                        wanted.offsets(),
                                        reply)));
        return answer.thenApply(said -> {
            ErrorCode error = said == ErrorCode.TRANSACTION_ABORTABLE && request.version() < ABORTABLE_SINCE
                    ? ErrorCode.INVALID_PRODUCER_EPOCH
                    : said;
            TxnOffsetCommitResponseData response = new TxnOffsetCommitResponseData();
            body.topics().forEach(topic -> {
                TxnOffsetCommitResponseTopic found =
                        new TxnOffsetCommitResponseTopic().setName(topic.name()).setTopicId(topic.topicId());
                topic.partitions()
                        .forEach(partition -> found.partitions()
                                .add(new TxnOffsetCommitResponsePartition()
                                        .setPartitionIndex(partition.partitionIndex())
                                        .setErrorCode(wanted.code(
                                                topic.name(), topic.topicId(), partition.partitionIndex(), error))));
                response.topics().add(found);
            });
            return response;
        });
    }

    private static CompletableFuture<ErrorCode> asked(CompletableFuture<Committed> answer) {
        return Failures.worded(answer, Committed::error, Function.identity());
    }

    /** The offsets of a request that can be committed, and why the others cannot. */
    private static final class Wanted {
        private final ClusterImage image;
        private final int maxMetadataBytes;
        private final long nowMs;
        private final Map<TopicPartition, Offset> offsets = new LinkedHashMap<>();
        private final Map<Key, ErrorCode> refused = new LinkedHashMap<>();

        Wanted(ApiContext context) {
            image = context.image();
            maxMetadataBytes = context.settings().number(BrokerSettings.OFFSET_METADATA_MAX_BYTES);
            nowMs = context.host().clock().wallMs();
        }

        void add(String name, Uuid id, int partition, long offset, int leaderEpoch, String metadata) {
            TopicImage topic = Topics.find(image, name, id);
            String text = metadata == null ? "" : metadata;
            if (topic == null) {
                refused.put(new Key(name, id, partition), Topics.unknown(id));
            } else if (topic.partition(partition) == null) {
                refused.put(new Key(name, id, partition), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
            } else if (text.length() > maxMetadataBytes) {
                refused.put(new Key(name, id, partition), ErrorCode.OFFSET_METADATA_TOO_LARGE);
            } else {
                offsets.put(Topics.partition(topic, partition), new Offset(offset, leaderEpoch, text, nowMs));
            }
        }

        boolean isEmpty() {
            return offsets.isEmpty();
        }

        Map<TopicPartition, Offset> offsets() {
            return offsets;
        }

        short code(String name, Uuid id, int partition, ErrorCode answer) {
            return refused.getOrDefault(new Key(name, id, partition), answer).code();
        }

        private record Key(String name, Uuid id, int partition) {}
    }
}
