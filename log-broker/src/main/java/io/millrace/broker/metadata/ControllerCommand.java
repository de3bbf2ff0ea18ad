package io.millrace.broker.metadata;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** What can be asked of the controller. Each command carries the future that its answer completes. */
public sealed interface ControllerCommand {

    /** Where the answer goes. */
    CompletableFuture<?> reply();

    /** Topics, settings and producer ids. */
    sealed interface OfTopics extends ControllerCommand {}

    /** Brokers come, live, and go. */
    sealed interface OfBrokers extends ControllerCommand {}

    /** Who leads a partition, who is in sync, who has it at all. */
    sealed interface OfPartitions extends ControllerCommand {}

    /**
     * @param partitions -1 for the default
     * @param replicationFactor -1 for the default
     * @param assignment the replicas of each partition, or empty to let the controller choose
     */
    record CreateTopic(
            String name,
            int partitions,
            int replicationFactor,
            Map<Integer, List<Integer>> assignment,
            Map<String, String> settings,
            boolean validateOnly,
            CompletableFuture<Outcome<TopicImage>> reply)
            implements OfTopics {}

    record DeleteTopic(Uuid id, CompletableFuture<Outcome<TopicImage>> reply) implements OfTopics {}

    /** @param assignment the replicas of each new partition, or empty */
    record CreatePartitions(
            String topic,
            int totalCount,
            List<List<Integer>> assignment,
            boolean validateOnly,
            CompletableFuture<Outcome<TopicImage>> reply)
            implements OfTopics {}

    /** Replaces everything that is set for a topic. */
    record SetTopic(
            String topic, SettingsChange change, boolean validateOnly, CompletableFuture<Outcome<TopicImage>> reply)
            implements OfTopics {}

    /** @param node a node id, or empty for all brokers */
    record SetBroker(
            String node, SettingsChange change, boolean validateOnly, CompletableFuture<Outcome<Boolean>> reply)
            implements OfTopics {}

    /** Takes a block of producer ids; the answer is the first one. */
    record TakeProducerIds(int count, CompletableFuture<Long> reply) implements OfTopics {}

    /**
     * A broker's process has started. It is fenced at first, until a heartbeat says that it has caught up, unless it is
     * the controller's own.
     *
     * @param rack empty where none is known
     * @param incarnation made anew each time the process starts
     * @param clean whether its last stop lost nothing of its logs
     * @param ownProcess whether the controller is this very process and has no others to serve: then nothing else of this
     *     id can be alive, and it knows all there is to know
     */
    record RegisterBroker(
            int id,
            String host,
            int port,
            String rack,
            Uuid incarnation,
            boolean clean,
            boolean ownProcess,
            CompletableFuture<Outcome<BrokerImage>> reply)
            implements OfBrokers {}

    /**
     * A broker lives.
     *
     * @param epoch that of its registration
     * @param metadataPosition how far it has read the metadata log
     * @param caughtUp whether that is far enough to serve: at least its own registration
     * @param wantsFence whether it does not want to serve for now
     * @param wantsStop whether it is about to stop and would hand over what it leads
     */
    record Heartbeat(
            int id,
            long epoch,
            long metadataPosition,
            boolean caughtUp,
            boolean wantsFence,
            boolean wantsStop,
            CompletableFuture<Outcome<HeartbeatAnswer>> reply)
            implements OfBrokers {}

    /** @param shouldStop whether a broker that wants to stop has nothing left to hand over */
    record HeartbeatAnswer(boolean caughtUp, boolean fenced, boolean shouldStop) {}

    /**
     * It is certain that a broker's process is gone; nobody need wait for its session to end.
     *
     * @param epoch the registration of that process
     */
    record Suspect(int id, long epoch, CompletableFuture<Outcome<BrokerImage>> reply) implements OfBrokers {}

    /** A leader changes who is in sync; answered in the order of the changes. */
    record AlterPartitions(
            int broker,
            long brokerEpoch,
            List<InSyncChange> changes,
            CompletableFuture<Outcome<List<Outcome<PartitionImage>>>> reply)
            implements OfPartitions {}

    /**
     * @param leaderEpoch the epoch in which the sender leads
     * @param partitionEpoch the record that the change is meant for
     * @param inSync all that shall be in sync, the leader among them
     */
    record InSyncChange(Uuid topicId, int partition, int leaderEpoch, int partitionEpoch, List<InSyncMember> inSync) {}

    /** @param epoch the registration under which it has caught up (KIP-903), or {@link #ANY_EPOCH} */
    record InSyncMember(int broker, long epoch) {
        public static final long ANY_EPOCH = -1;
    }

    /** @param partitions null for all; then the answer leaves out those that need no election */
    record ElectLeaders(ElectionType type, List<TopicPartition> partitions, CompletableFuture<List<Elected>> reply)
            implements OfPartitions {}

    record Elected(TopicPartition partition, Outcome<PartitionImage> outcome) {}

    /**
     * Begins or cancels reassignments (KIP-455); answered in the order of the changes.
     *
     * @param allowFactorChange whether a partition may get more or fewer replicas than it has (KIP-860)
     */
    record AlterReassignments(
            List<Reassignment> changes,
            boolean allowFactorChange,
            CompletableFuture<List<Outcome<PartitionImage>>> reply)
            implements OfPartitions {}

    /** @param replicas in order of preference; null to cancel what is under way */
    record Reassignment(String topic, int partition, List<Integer> replicas) {}

    /** Forgets a broker that is fenced and has no replicas. */
    record Unregister(int id, CompletableFuture<Outcome<BrokerImage>> reply) implements OfBrokers {}
}
