package io.millrace.broker.api;

import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.Outcome;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.server.RequestContext;
import io.millrace.broker.settings.BrokerSettings;
import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBroker;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;

/** Who is in the cluster and who leads what. */
final class MetadataApi {
    private static final byte BROKERS = 1;
    /** Before this version a topic whose id is unknown cannot be answered without a name. */
    private static final short NO_NAME_SINCE = 12;

    private final ApiContext context;
    private final TopicCreation creation;

    MetadataApi(ApiContext context, TopicCreation creation) {
        this.context = context;
        this.creation = creation;
    }

    CompletableFuture<MetadataResponseData> metadata(RequestContext request) {
        MetadataRequestData body = request.body(MetadataRequestData.class);
        // Version 0 has no other way to ask for all topics than an empty list.
        boolean all = body.topics() == null
                || (request.version() == 0 && body.topics().isEmpty());
        if (all) {
            ClusterImage image = context.image();
            MetadataResponseData response = head(image, context.controller().leader());
            image.topics().values().forEach(topic -> response.topics().add(topic(topic, image)));
            return Gather.now(response);
        }
        boolean create = body.allowAutoTopicCreation() && context.settings().flag(BrokerSettings.AUTO_CREATE_TOPICS);
        List<CompletableFuture<MetadataResponseTopic>> topics = new ArrayList<>();
        body.topics().forEach(wanted -> topics.add(topic(wanted, create, request.version())));
        return Gather.all(topics).thenApply(found -> {
            MetadataResponseData response =
                    head(context.image(), context.controller().leader());
            found.forEach(response.topics()::add);
            return response;
        });
    }

    private static MetadataResponseData head(ClusterImage image, int controller) {
        MetadataResponseData response =
                new MetadataResponseData().setClusterId(image.clusterId()).setControllerId(controller);
        for (BrokerImage broker : image.unfenced()) {
            response.brokers()
                    .add(new MetadataResponseBroker()
                            .setNodeId(broker.id())
                            .setHost(broker.host())
                            .setPort(broker.port())
                            .setRack(broker.rack().isEmpty() ? null : broker.rack()));
        }
        return response;
    }

    private CompletableFuture<MetadataResponseTopic> topic(MetadataRequestTopic wanted, boolean create, short version) {
        TopicImage known = Topics.find(context.image(), wanted.name(), wanted.topicId());
        if (known != null) {
            return Gather.now(topic(known, context.image()));
        }
        if (!create || Topics.isGiven(wanted.topicId())) {
            return Gather.now(failed(wanted, Topics.unknown(wanted.topicId()), version));
        }
        return creation.ensure(wanted.name())
                .thenApply(outcome -> outcome instanceof Outcome.Done<TopicImage> done
                        ? topic(done.value(), context.image())
                        : failed(wanted, outcome.error(), version));
    }

    private static MetadataResponseTopic failed(MetadataRequestTopic wanted, ErrorCode error, short version) {
        boolean nameless = wanted.name() == null && version < NO_NAME_SINCE;
        return new MetadataResponseTopic()
                .setErrorCode(error.code())
                .setName(nameless ? "" : wanted.name())
                .setTopicId(wanted.topicId());
    }

    private static MetadataResponseTopic topic(TopicImage topic, ClusterImage image) {
        MetadataResponseTopic response = new MetadataResponseTopic()
                .setName(topic.name())
                .setTopicId(topic.id())
                .setIsInternal(topic.internal());
        for (PartitionImage partition : topic.partitions()) {
            response.partitions()
                    .add(new MetadataResponsePartition()
                            .setPartitionIndex(partition.index())
                            .setErrorCode(
                                    (partition.hasLeader() ? ErrorCode.NONE : ErrorCode.LEADER_NOT_AVAILABLE).code())
                            .setLeaderId(partition.leader())
                            .setLeaderEpoch(partition.leaderEpoch())
                            .setReplicaNodes(partition.replicas())
                            .setIsrNodes(partition.inSync())
                            .setOfflineReplicas(offline(partition, image)));
        }
        return response;
    }

    private static List<Integer> offline(PartitionImage partition, ClusterImage image) {
        return partition.replicas().stream()
                .filter(node -> image.broker(node) == null || image.broker(node).fenced())
                .toList();
    }

    CompletableFuture<DescribeClusterResponseData> describeCluster(RequestContext request) {
        DescribeClusterRequestData body = request.body(DescribeClusterRequestData.class);
        if (body.endpointType() != BROKERS) {
            return Gather.now(new DescribeClusterResponseData()
                    .setErrorCode(ErrorCode.UNSUPPORTED_ENDPOINT_TYPE.code())
                    .setErrorMessage("this is a broker's endpoint; ask for endpoint type 1"));
        }
        ClusterImage image = context.image();
        DescribeClusterResponseData response = new DescribeClusterResponseData()
                .setClusterId(image.clusterId())
                .setControllerId(context.controller().leader())
                .setEndpointType(BROKERS);
        for (BrokerImage broker : image.unfenced()) {
            response.brokers()
                    .add(new DescribeClusterBroker()
                            .setBrokerId(broker.id())
                            .setHost(broker.host())
                            .setPort(broker.port())
                            .setRack(broker.rack().isEmpty() ? null : broker.rack()));
        }
        return Gather.now(response);
    }
}
