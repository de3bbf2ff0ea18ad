package io.millrace.broker.peers;

import io.millrace.broker.partition.Partition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;
import org.apache.kafka.common.message.FetchResponseData;

/** A follower's fetch session with a leader (KIP-227): only what has changed since the last request is said again. */
final class ReplicaSession {
    private static final int NONE = 0;

    private final int self;
    private final Map<TopicIdPartition, FetchPartition> said = new HashMap<>();
    private int id = NONE;
    private int epoch;

    ReplicaSession(int self) {
        this.self = self;
    }

    /** Begins anew with the next request. */
    void reset() {
        id = NONE;
        epoch = 0;
        said.clear();
    }

    /** The next request, for these partitions. */
    FetchRequestData request(
            Iterable<Partition> partitions, long brokerEpoch, int maxWaitMs, int maxBytes, int partitionMaxBytes) {
        FetchRequestData request = new FetchRequestData()
                .setReplicaState(
                        new FetchRequestData.ReplicaState().setReplicaId(self).setReplicaEpoch(brokerEpoch))
                .setMaxWaitMs(maxWaitMs)
                .setMinBytes(1)
                .setMaxBytes(maxBytes)
                .setSessionId(id)
                .setSessionEpoch(epoch);
        Map<TopicIdPartition, FetchPartition> wanted = new LinkedHashMap<>();
        partitions.forEach(partition -> wanted.put(partition.id(), wanted(partition, partitionMaxBytes)));
        Map<Uuid, FetchTopic> topics = new LinkedHashMap<>();
        wanted.forEach((partition, now) -> {
            if (!now.equals(said.put(partition, now))) {
                topics.computeIfAbsent(partition.topicId(), topic -> new FetchTopic().setTopicId(topic))
                        .partitions()
                        .add(now);
            }
        });
        request.setTopics(new ArrayList<>(topics.values())).setForgottenTopicsData(forgotten(wanted));
        return request;
    }

    private static FetchPartition wanted(Partition partition, int maxBytes) {
        return new FetchPartition()
                .setPartition(partition.name().partition())
                .setCurrentLeaderEpoch(partition.leaderEpoch())
                .setFetchOffset(partition.log().endOffset())
                .setLastFetchedEpoch(partition.log().latestEpoch())
                .setLogStartOffset(partition.log().startOffset())
                .setPartitionMaxBytes(maxBytes);
    }

    private List<ForgottenTopic> forgotten(Map<TopicIdPartition, FetchPartition> wanted) {
        Map<Uuid, ForgottenTopic> topics = new LinkedHashMap<>();
        Iterator<TopicIdPartition> known = said.keySet().iterator();
        while (known.hasNext()) {
            TopicIdPartition partition = known.next();
            if (!wanted.containsKey(partition)) {
                known.remove();
                topics.computeIfAbsent(partition.topicId(), topic -> new ForgottenTopic().setTopicId(topic))
                        .partitions()
                        .add(partition.partition());
            }
        }
        return new ArrayList<>(topics.values());
    }

    /** The leader's side of the session. */
    void answered(FetchResponseData response) {
        if (id == NONE) {
            id = response.sessionId();
            epoch = id == NONE ? 0 : 1;
            if (id == NONE) {
                said.clear(); // no session was opened: everything is said again
            }
        } else {
            epoch = epoch == Integer.MAX_VALUE ? 1 : epoch + 1;
        }
    }
}
