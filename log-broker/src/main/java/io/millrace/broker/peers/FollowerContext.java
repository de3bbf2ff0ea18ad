package io.millrace.broker.peers;

import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.wire.ClientProtocol;
import io.millrace.kernel.Network;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;

/**
 * What fetchers work with.
 *
 * @param brokerEpoch under which this broker is registered
 */
record FollowerContext(
        int self, Network network, ClientProtocol protocol, Supplier<ClusterImage> image, LongSupplier brokerEpoch) {

    /** Whether a partition has other replicas, be their brokers there or not. */
    boolean hasOthers(TopicPartition partition) {
        PartitionImage known = image.get().partition(partition.topic(), partition.partition());
        return known != null && known.replicas().size() > 1;
    }

    /** The other replicas of a partition whose brokers are there, those in sync first. */
    List<BrokerImage> peersOf(TopicPartition partition) {
        ClusterImage now = image.get();
        PartitionImage known = now.partition(partition.topic(), partition.partition());
        return known == null
                ? List.of()
                : known.replicas().stream()
                        .filter(node -> node != self && now.isUnfenced(node))
                        .sorted((one, other) -> Boolean.compare(
                                known.inSync().contains(other), known.inSync().contains(one)))
                        .map(now::broker)
                        .toList();
    }
}
