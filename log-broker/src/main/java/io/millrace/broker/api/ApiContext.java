package io.millrace.broker.api;

import io.millrace.broker.coordination.Coordinators;
import io.millrace.broker.group.GroupCommand;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.Controller;
import io.millrace.broker.metadata.ProducerIdBlock;
import io.millrace.broker.metadata.TopicDefaults;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.partition.ReplicationThrottle;
import io.millrace.broker.partition.ShardSet;
import io.millrace.broker.peers.ControllerLine;
import io.millrace.broker.peers.DeathWatch;
import io.millrace.broker.settings.Values;
import io.millrace.broker.transactions.MarkerWriter;
import io.millrace.kernel.Host;
import io.millrace.txn.TxnCommand;
import java.nio.file.Path;

/**
 * What handlers work with.
 *
 * @param defaults what was set at the start of this broker
 * @param leaderThrottle of what this broker sends to followers
 * @param dataFolder where this broker keeps its logs
 * @param alone whether this broker is a cluster of its own
 */
public record ApiContext(
        Host host,
        Controller controller,
        ControllerLine controllerLine,
        DeathWatch deathWatch,
        TopicDefaults defaults,
        PartitionRegistry partitions,
        ShardSet shards,
        ReplicationThrottle leaderThrottle,
        Coordinators<GroupCommand, ?, ?> groups,
        Coordinators<TxnCommand, ?, ?> transactions,
        MarkerWriter markers,
        ProducerIdBlock producerIds,
        ColdReads coldReads,
        Path dataFolder,
        boolean alone) {

    ClusterImage image() {
        return controller.image();
    }

    int nodeId() {
        return defaults.nodeId();
    }

    /** The broker's settings of this moment. */
    Values settings() {
        return defaults.of(image());
    }
}
