package io.millrace.broker.metadata;

import io.millrace.broker.metadata.MetadataEvent.ProducerIdsTaken;
import java.util.List;

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
        return with(List.of(event));
    }

    /** The state after events, in their order. */
    public MetadataState with(List<MetadataEvent> events) {
        NextImage next = new NextImage(image);
        long ids = nextProducerId;
        for (MetadataEvent event : events) {
            next.apply(event);
            ids = event instanceof ProducerIdsTaken taken ? taken.next() : ids;
        }
        return new MetadataState(next.image(), ids);
    }
}
