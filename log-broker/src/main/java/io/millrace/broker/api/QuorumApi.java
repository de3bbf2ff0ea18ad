package io.millrace.broker.api;

import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.metadata.MetadataQuorum;
import io.millrace.broker.server.RequestContext;
import io.millrace.broker.wire.ErrorCode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.DescribeQuorumRequestData;
import org.apache.kafka.common.message.DescribeQuorumResponseData;
import org.apache.kafka.common.message.DescribeQuorumResponseData.Listener;
import org.apache.kafka.common.message.DescribeQuorumResponseData.Node;
import org.apache.kafka.common.message.DescribeQuorumResponseData.PartitionData;
import org.apache.kafka.common.message.DescribeQuorumResponseData.ReplicaState;
import org.apache.kafka.common.message.DescribeQuorumResponseData.TopicData;

/** The quorum of the metadata, told as Kafka tells of its own (KIP-595): as the one partition of a topic. */
final class QuorumApi {
    private static final String TOPIC = "__cluster_metadata";
    private static final short NODES_SINCE = 2;

    private final ApiContext context;

    QuorumApi(ApiContext context) {
        this.context = context;
    }

    CompletableFuture<DescribeQuorumResponseData> describe(RequestContext request) {
        DescribeQuorumRequestData body = request.body(DescribeQuorumRequestData.class);
        DescribeQuorumResponseData response = new DescribeQuorumResponseData();
        MetadataQuorum.Description quorum = context.controller().quorumDescription();
        body.topics().forEach(topic -> {
            TopicData told = new TopicData().setTopicName(topic.topicName());
            topic.partitions().forEach(partition -> {
                PartitionData data = new PartitionData().setPartitionIndex(partition.partitionIndex());
                boolean known = topic.topicName().equals(TOPIC) && partition.partitionIndex() == 0;
                told.partitions()
                        .add(
                                known
                                        ? told(data, quorum)
                                        : data.setErrorCode(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code()));
            });
            response.topics().add(told);
        });
        if (request.version() >= NODES_SINCE) {
            quorum.voters().forEach(voter -> response.nodes().add(node(voter.node())));
        }
        return Gather.now(response);
    }

    private static PartitionData told(PartitionData data, MetadataQuorum.Description quorum) {
        return data.setLeaderId(quorum.leader())
                .setLeaderEpoch((int) quorum.term())
                .setHighWatermark(quorum.highWatermark())
                .setCurrentVoters(members(quorum.voters()))
                .setObservers(members(quorum.observers()));
    }

    private static List<ReplicaState> members(List<MetadataQuorum.Member> members) {
        return members.stream()
                .map(member -> new ReplicaState()
                        .setReplicaId(member.node())
                        .setLogEndOffset(member.endOffset())
                        .setLastFetchTimestamp(member.lastFetchMs())
                        .setLastCaughtUpTimestamp(member.lastCaughtUpMs()))
                .toList();
    }

    private Node node(int id) {
        Node node = new Node().setNodeId(id);
        BrokerImage broker = context.image().broker(id);
        if (broker != null) {
            node.listeners()
                    .add(new Listener()
                            .setName("PLAINTEXT")
                            .setHost(broker.host())
                            .setPort(broker.port()));
        }
        return node;
    }
}
