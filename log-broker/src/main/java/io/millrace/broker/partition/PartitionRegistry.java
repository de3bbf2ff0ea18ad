package io.millrace.broker.partition;

import io.millrace.kernel.Loop;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.kafka.common.TopicPartition;

/** Where each open partition of this broker is; any thread may look. */
public final class PartitionRegistry {
    private final ConcurrentMap<TopicPartition, Place> places = new ConcurrentHashMap<>();

    /** The place of a partition, or null where this broker does not have it (yet). */
    public Place find(TopicPartition partition) {
        return places.get(partition);
    }

    public Collection<Place> all() {
        return List.copyOf(places.values());
    }

    void opened(Partition partition, Loop<ShardMessage> shard) {
        places.put(partition.name(), new Place(partition, shard));
    }

    void closed(Partition partition) {
        places.remove(partition.name());
    }

    /** A partition and the shard that owns it: other threads may read its view and send messages. */
    public record Place(Partition partition, Loop<ShardMessage> shard) {}
}
