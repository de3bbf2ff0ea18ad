package io.millrace.simulator.client;

import io.millrace.broker.settings.BrokerSettings;
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
        AlterConfigsResource resource = new AlterConfigsResource()
                .setResourceType(ConfigResource.Type.BROKER.id())
                .setResourceName(String.valueOf(broker));
        resource.configs()
                .add(new AlterableConfig()
                        .setName(BrokerSettings.DRAIN)
                        .setValue(String.valueOf(on))
                        .setConfigOperation(SET_VALUE));
        IncrementalAlterConfigsRequestData request = new IncrementalAlterConfigsRequestData();
        request.resources().add(resource);
        return request;
    }
}
