package io.millrace.broker.partition;

import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.metadata.TopicDefaults;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.kernel.Host;
import java.util.List;
import java.util.function.Supplier;

/**
 * What all shards of a broker share.
 *
 * @param contact with the controller; any thread
 * @param guests what lives on partitions; told in this order
 * @param diskFailed told when a partition has gone offline, any number of times
 */
public record ShardContext(
        Host host,
        int shards,
        int queueCapacity,
        TopicDefaults defaults,
        DataFolder folder,
        PartitionRegistry registry,
        Checkpoints checkpoints,
        Forces forces,
        Registrar registrar,
        InSyncAgreement agreement,
        Supplier<Contact> contact,
        List<Guest> guests,
        Runnable diskFailed) {

    int self() {
        return defaults.nodeId();
    }

    /** Whether a shard of this broker owns a replica of a partition: those of a topic are dealt out in turn. */
    boolean owns(int shard, TopicImage topic, PartitionImage partition) {
        return partition.isReplica(self()) && Math.floorMod(topic.id().hashCode() + partition.index(), shards) == shard;
    }
}
