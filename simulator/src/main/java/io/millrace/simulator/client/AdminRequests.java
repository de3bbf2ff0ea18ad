package io.millrace.simulator.client;

import io.millrace.broker.settings.BrokerSettings;
import io.millrace.broker.settings.TopicSettings;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData.ReassignablePartition;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData.ReassignableTopic;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;

/** What an operator's tools send. */
public final class AdminRequests {
    public static final int REASSIGN = 0;
    public static final int ELECT = 2;
    public static final int SET = 1;
    private static final int TIMEOUT_MS = 3_000;
    private static final byte PREFERRED = 0;
    private static final byte SET_VALUE = 0;
    private static final byte DELETE_VALUE = 1;
    private static final String ALL_BROKERS = "";

    private AdminRequests() {}

    /** @param replicas null to cancel what is under way */
    public static AlterPartitionReassignmentsRequestData reassign(TopicPartition partition, List<Integer> replicas) {
        return new AlterPartitionReassignmentsRequestData()
                .setTimeoutMs(TIMEOUT_MS)
                .setTopics(List.of(new ReassignableTopic()
                        .setName(partition.topic())
                        .setPartitions(List.of(new ReassignablePartition()
                                .setPartitionIndex(partition.partition())
                                .setReplicas(replicas)))));
    }

    /** All partitions get the leaders that they would rather have. */
    public static ElectLeadersRequestData electPreferred() {
        return new ElectLeadersRequestData()
                .setElectionType(PREFERRED)
                .setTopicPartitions(null)
                .setTimeoutMs(TIMEOUT_MS);
    }

    /** Takes a broker out, or lets it in again. */
    public static IncrementalAlterConfigsRequestData drain(int broker, boolean on) {
        return change(List.of(
                set(ConfigResource.Type.BROKER, String.valueOf(broker), String.valueOf(on), BrokerSettings.DRAIN)));
    }

    /**
     * Throttles the copying of topics from and to all brokers (KIP-73).
     *
     * @param bytesPerSecond null to end it
     */
    public static IncrementalAlterConfigsRequestData throttle(List<String> topics, Long bytesPerSecond) {
        String replicas = bytesPerSecond == null ? null : "*";
        String rate = bytesPerSecond == null ? null : bytesPerSecond.toString();
        List<AlterConfigsResource> changes = new ArrayList<>();
        for (String topic : topics) {
            changes.add(set(
                    ConfigResource.Type.TOPIC,
                    topic,
                    replicas,
                    TopicSettings.LEADER_THROTTLED_REPLICAS,
                    TopicSettings.FOLLOWER_THROTTLED_REPLICAS));
        }
        changes.add(set(
                ConfigResource.Type.BROKER,
                ALL_BROKERS,
                rate,
                BrokerSettings.LEADER_THROTTLED_RATE,
                BrokerSettings.FOLLOWER_THROTTLED_RATE));
        return change(changes);
    }

    public static IncrementalAlterConfigsRequestData change(List<AlterConfigsResource> changes) {
        IncrementalAlterConfigsRequestData request = new IncrementalAlterConfigsRequestData();
        changes.forEach(request.resources()::add);
        return request;
    }

    /** @param value of each of the settings; null to remove what is set */
    public static AlterConfigsResource set(ConfigResource.Type kind, String name, String value, String... settings) {
        AlterConfigsResource resource =
                new AlterConfigsResource().setResourceType(kind.id()).setResourceName(name);
        for (String setting : settings) {
            resource.configs()
                    .add(new AlterableConfig()
                            .setName(setting)
                            .setValue(value)
                            .setConfigOperation(value == null ? DELETE_VALUE : SET_VALUE));
        }
        return resource;
    }
}
