package io.millrace.broker.peers;

import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.partition.Guest;
import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.ReplicationThrottle;
import io.millrace.broker.partition.Shard;
import io.millrace.broker.wire.ClientProtocol;
import io.millrace.kernel.Host;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicIdPartition;

/** Gives every partition that follows a fetcher: one for each shard and leader. */
public final class ReplicaFetchers implements Guest {
    private final Host world;
    private final FollowerContext context;
    private final ReplicationThrottle throttle;
    private final Map<Pair, ReplicaFetcher> fetchers = new ConcurrentHashMap<>();
    private final Map<TopicIdPartition, ReplicaFetcher> byPartition = new ConcurrentHashMap<>();

    /**
     * @param brokerEpoch under which this broker is registered
     * @param throttle of what this broker takes in
     */
    public ReplicaFetchers(
            Host world,
            int self,
            Supplier<ClusterImage> image,
            LongSupplier brokerEpoch,
            ReplicationThrottle throttle) {
        this.world = world;
        this.context =
                new FollowerContext(self, world.network(), new ClientProtocol("replica-" + self), image, brokerEpoch);
        this.throttle = throttle;
    }

    @Override
    public void following(Partition partition, Shard shard) {
        ReplicaFetcher fetcher = fetchers.computeIfAbsent(
                new Pair(shard, partition.standing().leader()),
                pair -> new ReplicaFetcher(
                        context, throttle, pair.leader, shard, new ShardTurn(shard, world.timers())));
        byPartition.put(partition.id(), fetcher);
        fetcher.add(partition);
    }

    @Override
    public void stored(Partition partition) {
        ReplicaFetcher fetcher = byPartition.get(partition.id());
        if (fetcher != null) {
            fetcher.ask();
        }
    }

    @Override
    public void leaving(Partition partition) {
        ReplicaFetcher fetcher = byPartition.remove(partition.id());
        if (fetcher != null) {
            fetcher.remove(partition);
        }
    }

    private record Pair(Shard shard, int leader) {}
}
