package io.millrace.broker.partition;

import io.millrace.broker.metadata.ClusterImage;

/** The cluster has changed: the shard opens, updates and removes its partitions accordingly. */
public record ImageChanged(ClusterImage image) implements ShardMessage {

    @Override
    public void deliver(Shard shard) {
        shard.follow(image);
    }
}
