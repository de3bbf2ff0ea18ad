package io.millrace.broker.metadata;

import java.util.Map;
import org.apache.kafka.common.Uuid;

/** What has happened to the metadata. Each event carries the whole new value of the thing it names. */
public sealed interface MetadataEvent {

    record TopicChanged(TopicImage topic) implements MetadataEvent {}

    record TopicDeleted(Uuid id) implements MetadataEvent {}

    /** @param node a node id, or empty for all brokers */
    record SettingsChanged(String node, Map<String, String> settings) implements MetadataEvent {}

    /** @param next the first producer id that has not been handed out */
    record ProducerIdsTaken(long next) implements MetadataEvent {}
}
