package io.millrace.broker.api;

import io.millrace.broker.log.OffsetAndEpoch;
import io.millrace.broker.log.ReadView;
import io.millrace.broker.log.TimestampAndOffset;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.partition.Ask;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.server.RequestContext;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.DiskException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.EpochEndOffset;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.OffsetForLeaderTopicResult;

/** Offsets by time, and by leader epoch. */
final class OffsetsApi {
    private static final long LATEST = -1;
    private static final long EARLIEST = -2;
    private static final long MAX_TIMESTAMP = -3;
    private static final long EARLIEST_LOCAL = -4;
    private static final byte READ_COMMITTED = 1;
    private static final short LEADER_EPOCH_SINCE = 4;
    private static final short NOT_AVAILABLE_SINCE = 5;

    private final ApiContext context;

    OffsetsApi(ApiContext context) {
        this.context = context;
    }

    CompletableFuture<ListOffsetsResponseData> list(RequestContext request) {
        ListOffsetsRequestData body = request.body(ListOffsetsRequestData.class);
        boolean committedOnly = body.isolationLevel() == READ_COMMITTED;
        ListOffsetsResponseData response = new ListOffsetsResponseData();
        body.topics().forEach(topic -> {
            ListOffsetsTopicResponse found = new ListOffsetsTopicResponse().setName(topic.name());
            topic.partitions()
                    .forEach(partition ->
                            found.partitions().add(list(topic.name(), partition, committedOnly, request.version())));
            response.topics().add(found);
        });
        return Gather.now(response);
    }

    private ListOffsetsPartitionResponse list(
            String topic, ListOffsetsPartition wanted, boolean committedOnly, short version) {
        ListOffsetsPartitionResponse response =
                new ListOffsetsPartitionResponse().setPartitionIndex(wanted.partitionIndex());
        PartitionRegistry.Place place = context.partitions().find(new TopicPartition(topic, wanted.partitionIndex()));
        ErrorCode refusal = place == null
                ? missing(topic, wanted.partitionIndex())
                : Topics.leaderRefusal(place, wanted.currentLeaderEpoch());
        if (refusal == ErrorCode.NONE && !place.partition().pastIsCommitted()) {
            // a new leader does not know yet how far the last one got, and must not answer less (KIP-207)
            refusal = version >= NOT_AVAILABLE_SINCE ? ErrorCode.OFFSET_NOT_AVAILABLE : ErrorCode.LEADER_NOT_AVAILABLE;
        }
        if (refusal != ErrorCode.NONE) {
            return response.setErrorCode(refusal.code());
        }
        boolean withEpoch = version >= LEADER_EPOCH_SINCE;
        try {
            find(place.partition().view(), wanted.timestamp(), committedOnly).ifPresent(found -> {
                response.setOffset(found.offset()).setTimestamp(found.timestampMs());
                if (withEpoch) {
                    boolean known = found.leaderEpoch() >= 0;
                    response.setLeaderEpoch(
                            known ? found.leaderEpoch() : place.partition().leaderEpoch());
                }
            });
            return response;
        } catch (DiskException e) {
            return response.setErrorCode(ErrorCode.KAFKA_STORAGE_ERROR.code());
        }
    }

    private static Optional<TimestampAndOffset> find(ReadView view, long timestamp, boolean committedOnly) {
        long end = committedOnly ? view.lastStableOffset() : view.highWatermark();
        if (timestamp == LATEST) {
            return Optional.of(new TimestampAndOffset(-1, end, -1));
        } else if (timestamp == EARLIEST || timestamp == EARLIEST_LOCAL) {
            return Optional.of(new TimestampAndOffset(-1, view.startOffset(), -1));
        } else if (timestamp == MAX_TIMESTAMP) {
            return view.maxTimestamp().filter(found -> found.offset() < end);
        } else if (timestamp < 0) {
            return Optional.empty(); // about records in remote storage, of which there are none
        }
        return view.offsetForTime(timestamp).filter(found -> found.offset() < end);
    }

    private ErrorCode missing(String topic, int partition) {
        TopicImage known = context.image().topic(topic);
        return known == null ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION : Topics.missing(known, partition);
    }

    CompletableFuture<OffsetForLeaderEpochResponseData> epochEnds(RequestContext request) {
        OffsetForLeaderEpochRequestData body = request.body(OffsetForLeaderEpochRequestData.class);
        List<CompletableFuture<OffsetForLeaderTopicResult>> topics = new ArrayList<>();
        body.topics().forEach(topic -> {
            List<CompletableFuture<EpochEndOffset>> partitions = topic.partitions().stream()
                    .map(partition -> epochEnd(topic.topic(), partition))
                    .toList();
            topics.add(Gather.all(partitions)
                    .thenApply(all -> new OffsetForLeaderTopicResult()
                            .setTopic(topic.topic())
                            .setPartitions(all)));
        });
        return Gather.all(topics).thenApply(all -> {
            OffsetForLeaderEpochResponseData response = new OffsetForLeaderEpochResponseData();
            all.forEach(response.topics()::add);
            return response;
        });
    }

    private CompletableFuture<EpochEndOffset> epochEnd(String topic, OffsetForLeaderPartition wanted) {
        TopicPartition name = new TopicPartition(topic, wanted.partition());
        EpochEndOffset response = new EpochEndOffset().setPartition(wanted.partition());
        PartitionRegistry.Place place = context.partitions().find(name);
        ErrorCode refusal = place == null
                ? missing(topic, wanted.partition())
                : Topics.leaderRefusal(place, wanted.currentLeaderEpoch());
        if (refusal != ErrorCode.NONE) {
            return Gather.now(response.setErrorCode(refusal.code()));
        }
        CompletableFuture<EpochEndOffset> reply = new CompletableFuture<>();
        place.shard()
                .submit(new Ask<>(
                        name,
                        partition -> {
                            if (partition == null) {
                                return response.setErrorCode(ErrorCode.NOT_LEADER_OR_FOLLOWER.code());
                            }
                            OffsetAndEpoch end = partition.log().epochEndOffset(wanted.leaderEpoch());
                            return response.setEndOffset(end.offset()).setLeaderEpoch(end.epoch());
                        },
                        reply));
        return reply;
    }
}
