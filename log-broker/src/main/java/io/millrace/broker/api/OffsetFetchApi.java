package io.millrace.broker.api;

import io.millrace.broker.group.GroupAnswers.Fetched;
import io.millrace.broker.group.GroupCommand;
import io.millrace.broker.group.Offset;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.server.RequestContext;
import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartition;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopic;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;

/** Groups ask where they were. */
final class OffsetFetchApi {
    private static final short BATCHED_SINCE = 8;
    private static final short TOPIC_IDS_SINCE = 10;
    private static final long NO_OFFSET = -1;

    private final ApiContext context;

    OffsetFetchApi(ApiContext context) {
        this.context = context;
    }

    CompletableFuture<OffsetFetchResponseData> fetch(RequestContext request) {
        OffsetFetchRequestData body = request.body(OffsetFetchRequestData.class);
        if (request.version() < BATCHED_SINCE) {
            return fetch(single(body), body.requireStable(), false)
                    .thenApply(group -> unbatched(group, request.version()));
        }
        boolean byId = request.version() >= TOPIC_IDS_SINCE;
        List<CompletableFuture<OffsetFetchResponseGroup>> groups = new ArrayList<>();
        body.groups().forEach(group -> groups.add(fetch(group, body.requireStable(), byId)));
        return Gather.all(groups).thenApply(all -> new OffsetFetchResponseData().setGroups(all));
    }

    private static OffsetFetchRequestGroup single(OffsetFetchRequestData body) {
        OffsetFetchRequestGroup group = new OffsetFetchRequestGroup().setGroupId(body.groupId());
        if (body.topics() == null) {
            return group.setTopics(null);
        }
        body.topics()
                .forEach(topic -> group.topics()
                        .add(new OffsetFetchRequestTopics()
                                .setName(topic.name())
                                .setPartitionIndexes(topic.partitionIndexes())));
        return group;
    }

    private static OffsetFetchResponseData unbatched(OffsetFetchResponseGroup group, short version) {
        OffsetFetchResponseData response = new OffsetFetchResponseData();
        if (version >= 2) {
            response.setErrorCode(group.errorCode());
        }
        for (OffsetFetchResponseTopics topic : group.topics()) {
            OffsetFetchResponseTopic single = new OffsetFetchResponseTopic().setName(topic.name());
            topic.partitions()
                    .forEach(partition -> single.partitions()
                            .add(new OffsetFetchResponsePartition()
                                    .setPartitionIndex(partition.partitionIndex())
                                    .setCommittedOffset(partition.committedOffset())
                                    .setCommittedLeaderEpoch(partition.committedLeaderEpoch())
                                    .setMetadata(partition.metadata())
                                    .setErrorCode(partition.errorCode())));
            response.topics().add(single);
        }
        return response;
    }

    private CompletableFuture<OffsetFetchResponseGroup> fetch(
            OffsetFetchRequestGroup group, boolean stable, boolean byId) {
        ClusterImage image = context.image();
        List<TopicPartition> partitions = group.topics() == null ? null : known(group, image);
        return Failures.worded(
                context.groups()
                        .<Fetched>ask(
                                group.groupId(),
                                reply -> new GroupCommand.Fetch(group.groupId(), partitions, stable, reply)),
                fetched -> group.topics() == null
                        ? everything(group, fetched, image, byId)
                        : worded(group, fetched, image),
                error -> new OffsetFetchResponseGroup()
                        .setGroupId(group.groupId())
                        .setErrorCode(error.code()));
    }

    private static List<TopicPartition> known(OffsetFetchRequestGroup group, ClusterImage image) {
        List<TopicPartition> known = new ArrayList<>();
        for (OffsetFetchRequestTopics topic : group.topics()) {
            String name = name(topic, image);
            if (name != null) {
                topic.partitionIndexes().forEach(index -> known.add(new TopicPartition(name, index)));
            }
        }
        return known;
    }

    /** Offsets are kept by name; a topic that is named by an id that is not known has none. */
    private static String name(OffsetFetchRequestTopics topic, ClusterImage image) {
        if (!Topics.isGiven(topic.topicId())) {
            return topic.name();
        }
        TopicImage known = image.topic(topic.topicId());
        return known == null ? null : known.name();
    }

    private static OffsetFetchResponseGroup worded(OffsetFetchRequestGroup group, Fetched fetched, ClusterImage image) {
        OffsetFetchResponseGroup response = new OffsetFetchResponseGroup().setGroupId(group.groupId());
        for (OffsetFetchRequestTopics topic : group.topics()) {
            String name = name(topic, image);
            OffsetFetchResponseTopics found =
                    new OffsetFetchResponseTopics().setName(topic.name()).setTopicId(topic.topicId());
            for (int index : topic.partitionIndexes()) {
                found.partitions()
                        .add(
                                name == null
                                        ? worded(index, null).setErrorCode(ErrorCode.UNKNOWN_TOPIC_ID.code())
                                        : worded(new TopicPartition(name, index), fetched));
            }
            response.topics().add(found);
        }
        return response;
    }

    private static OffsetFetchResponseGroup everything(
            OffsetFetchRequestGroup group, Fetched fetched, ClusterImage image, boolean byId) {
        Map<String, OffsetFetchResponseTopics> topics = new TreeMap<>();
        Map<TopicPartition, Offset> all = new LinkedHashMap<>(fetched.offsets());
        fetched.unstable().forEach(partition -> all.putIfAbsent(partition, null));
        for (TopicPartition partition : all.keySet()) {
            TopicImage topic = image.topic(partition.topic());
            if (byId && topic == null) {
                continue; // it cannot be named
            }
            Uuid id = topic == null ? Uuid.ZERO_UUID : topic.id();
            topics.computeIfAbsent(
                            partition.topic(),
                            name -> new OffsetFetchResponseTopics()
                                    .setName(name)
                                    .setTopicId(id))
                    .partitions()
                    .add(worded(partition, fetched));
        }
        return new OffsetFetchResponseGroup().setGroupId(group.groupId()).setTopics(List.copyOf(topics.values()));
    }

    private static OffsetFetchResponsePartitions worded(TopicPartition partition, Fetched fetched) {
        if (fetched.unstable().contains(partition)) {
            return worded(partition.partition(), null).setErrorCode(ErrorCode.UNSTABLE_OFFSET_COMMIT.code());
        }
        return worded(partition.partition(), fetched.offsets().get(partition));
    }

    private static OffsetFetchResponsePartitions worded(int index, Offset offset) {
        return new OffsetFetchResponsePartitions()
                .setPartitionIndex(index)
                .setCommittedOffset(offset == null ? NO_OFFSET : offset.offset())
                .setCommittedLeaderEpoch(offset == null ? -1 : offset.leaderEpoch())
                .setMetadata(offset == null ? "" : offset.metadata());
    }
}
