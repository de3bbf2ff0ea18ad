package io.millrace.broker.metadata;

import java.util.Map;
import org.apache.kafka.common.Uuid;

/** What has happened to the metadata. Each event carries the whole new value of the thing it names. */
public sealed interface MetadataEvent {

    record TopicChanged(TopicImage topic) implements MetadataEvent {}

    record TopicDeleted(Uuid id) implements MetadataEvent {}

    /** A partition of a topic that exists; of one that does not, it means nothing. */
    record PartitionChanged(Uuid topicId, PartitionImage partition) implements MetadataEvent {}

    /**
     * The topic of a partition that had changed is gone. Means nothing for the state; it lets a log that keeps the newest
     * record of each key forget the partition's.
     */
    record PartitionForgotten(Uuid topicId, int index) implements MetadataEvent {}

    record BrokerChanged(BrokerImage broker) implements MetadataEvent {}

    record BrokerRemoved(int id) implements MetadataEvent {}

    /** A broker was heard of. Not recorded: a new leader of the quorum gives every broker its full time again. */
    record BrokerSeen(int id, long atMs) implements MetadataEvent {}

    /**
     * The controller's work in the background is done. Not recorded: a new controller begins with it.
     *
     * @param balanced whether preferred leaders were restored, too
     */
    record Tidied(long atMs, boolean balanced) implements MetadataEvent {}

    /** @param node a node id, or empty for all brokers */
    record SettingsChanged(String node, Map<String, String> settings) implements MetadataEvent {}

    /** @param next the first producer id that has not been handed out */
    record ProducerIdsTaken(long next) implements MetadataEvent {}
}
