package io.millrace.broker.metadata;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;

/** What can be asked of the controller. Each command carries the future that its answer completes. */
public sealed interface ControllerCommand {

    /** Where the answer goes. */
    CompletableFuture<?> reply();

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
            implements ControllerCommand {}

    record DeleteTopic(Uuid id, CompletableFuture<Outcome<TopicImage>> reply) implements ControllerCommand {}

    /** @param assignment the replicas of each new partition, or empty */
    record CreatePartitions(
            String topic,
            int totalCount,
            List<List<Integer>> assignment,
            boolean validateOnly,
            CompletableFuture<Outcome<TopicImage>> reply)
            implements ControllerCommand {}

    /** Replaces everything that is set for a topic. */
    record SetTopic(
            String topic, SettingsChange change, boolean validateOnly, CompletableFuture<Outcome<TopicImage>> reply)
            implements ControllerCommand {}

    /** @param node a node id, or empty for all brokers */
    record SetBroker(
            String node, SettingsChange change, boolean validateOnly, CompletableFuture<Outcome<Boolean>> reply)
            implements ControllerCommand {}

    /** Takes a block of producer ids; the answer is the first one. */
    record TakeProducerIds(int count, CompletableFuture<Long> reply) implements ControllerCommand {}
}
