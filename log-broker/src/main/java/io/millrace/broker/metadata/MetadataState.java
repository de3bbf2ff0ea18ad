package io.millrace.broker.metadata;

import io.millrace.broker.metadata.MetadataEvent.BrokerChanged;
import io.millrace.broker.metadata.MetadataEvent.BrokerRemoved;
import io.millrace.broker.metadata.MetadataEvent.PartitionChanged;
import io.millrace.broker.metadata.MetadataEvent.ProducerIdsTaken;
import io.millrace.broker.metadata.MetadataEvent.SettingsChanged;
import io.millrace.broker.metadata.MetadataEvent.TopicChanged;
import io.millrace.broker.metadata.MetadataEvent.TopicDeleted;

/**
 * All that the metadata log says, as of one record. Immutable: every node makes the same states from the same events.
 *
 * @param nextProducerId the first producer id that has not been handed out
 */
public record MetadataState(ClusterImage image, long nextProducerId) {

    public static MetadataState empty(String clusterId) {
        return new MetadataState(ClusterImage.empty(clusterId), 0);
    }

    /** The state after an event. */
    MetadataState with(MetadataEvent event) {
        if (event instanceof ProducerIdsTaken taken) {
            return new MetadataState(image, taken.next());
        }
        return new MetadataState(changed(event), nextProducerId);
    }

    private ClusterImage changed(MetadataEvent event) {
        if (event instanceof TopicChanged changed) {
            return image.with(changed.topic());
        } else if (event instanceof TopicDeleted deleted) {
            return image.without(deleted.id());
        } else if (event instanceof PartitionChanged changed) {
            TopicImage topic = image.topic(changed.topicId());
            boolean known = topic != null && topic.partition(changed.partition().index()) != null;
            return known ? image.with(topic, changed.partition()) : image;
        } else if (event instanceof BrokerChanged changed) {
            return image.with(changed.broker());
        } else if (event instanceof BrokerRemoved removed) {
            return image.withoutBroker(removed.id());
        } else if (event instanceof SettingsChanged changed) {
            return image.withSettings(changed.node(), changed.settings());
        }
        return image; // what is not recorded is not part of the state
    }
}
