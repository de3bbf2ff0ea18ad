package io.millrace.broker.api;

import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.server.RequestContext;
import io.millrace.broker.wire.ErrorCode;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.Cursor;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponsePartition;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic;

/** Topics described a page at a time, in the order of their names (KIP-966). */
final class TopicPagesApi {
    private static final int MAX_PARTITIONS = 2000;

    private final ApiContext context;

    TopicPagesApi(ApiContext context) {
        this.context = context;
    }

    CompletableFuture<DescribeTopicPartitionsResponseData> describe(RequestContext request) {
        DescribeTopicPartitionsRequestData body = request.body(DescribeTopicPartitionsRequestData.class);
        ClusterImage image = context.image();
        DescribeTopicPartitionsResponseData response = new DescribeTopicPartitionsResponseData();
        String fromTopic = body.cursor() == null ? "" : body.cursor().topicName();
        int fromPartition = body.cursor() == null ? 0 : body.cursor().partitionIndex();
        int room = Math.min(Math.max(1, body.responsePartitionLimit()), MAX_PARTITIONS);
        for (String name : wanted(body, image)) {
            if (name.compareTo(fromTopic) < 0) {
                continue;
            }
            int first = name.equals(fromTopic) ? fromPartition : 0;
            if (room == 0) {
                response.setNextCursor(new Cursor().setTopicName(name).setPartitionIndex(first));
                break;
            }
            TopicImage topic = image.topic(name);
            if (topic == null) {
                response.topics()
                        .add(new DescribeTopicPartitionsResponseTopic()
                                .setName(name)
                                .setErrorCode(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code()));
                continue;
            }
            int last = Math.min(topic.partitions().size(), first + room);
            response.topics().add(page(topic, first, last));
            room -= Math.max(0, last - first);
            if (last < topic.partitions().size()) {
                response.setNextCursor(new Cursor().setTopicName(name).setPartitionIndex(last));
                break;
            }
        }
        return Gather.now(response);
    }

    private static Collection<String> wanted(DescribeTopicPartitionsRequestData body, ClusterImage image) {
        if (body.topics().isEmpty()) {
            return image.topics().keySet();
        }
        Collection<String> names = new TreeSet<>();
        for (TopicRequest topic : body.topics()) {
            names.add(topic.name());
        }
        return names;
    }

    private static DescribeTopicPartitionsResponseTopic page(TopicImage topic, int first, int last) {
        DescribeTopicPartitionsResponseTopic page = new DescribeTopicPartitionsResponseTopic()
                .setName(topic.name())
                .setTopicId(topic.id())
                .setIsInternal(topic.internal());
        for (PartitionImage partition : topic.partitions().subList(Math.min(first, last), last)) {
            page.partitions()
                    .add(new DescribeTopicPartitionsResponsePartition()
                            .setPartitionIndex(partition.index())
                            .setLeaderId(partition.leader())
                            .setLeaderEpoch(partition.leaderEpoch())
                            .setReplicaNodes(partition.replicas())
                            .setIsrNodes(partition.inSync())
                            .setEligibleLeaderReplicas(List.of())
                            .setLastKnownElr(List.of()));
        }
        return page;
    }
}
