package io.millrace.broker.peers;

import io.millrace.broker.log.Damage;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.partition.Guest;
import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.Shard;
import io.millrace.broker.wire.ClientProtocol;
import io.millrace.kernel.Host;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicIdPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes from other replicas what is damaged here; at most one segment of a partition at a time. */
public final class ReplicaRepairs implements Guest {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaRepairs.class);

    private final Host world;
    private final FollowerContext context;
    private final Map<TopicIdPartition, ReplicaRepair> underWay = new ConcurrentHashMap<>();
    private final Map<TopicIdPartition, Long> lost = new ConcurrentHashMap<>();

    public ReplicaRepairs(Host world, int self, Supplier<ClusterImage> image) {
        this.world = world;
        this.context =
                new FollowerContext(self, world.network(), new ClientProtocol("repair-" + self), image, () -> -1);
    }

    @Override
    public void damaged(Partition partition, Damage damage, Shard shard) {
        TopicIdPartition id = partition.id();
        if (underWay.containsKey(id)) {
            return;
        }
        if (!context.hasOthers(partition.name())) {
            if (!Long.valueOf(damage.offset()).equals(lost.put(id, damage.offset()))) {
                LOG.error(
                        "{}: the batch at offset {} is damaged ({}), and there is no other replica to take it from; "
                                + "'millrace log check' on the stopped broker tells which offsets are lost and can leave them out",
                        partition.name(),
                        damage.offset(),
                        damage.what());
            }
            return;
        }
        LOG.warn(
                "{}: the batch at offset {} is damaged ({}); it is taken from another replica",
                partition.name(),
                damage.offset(),
                damage.what());
        ReplicaRepair repair = new ReplicaRepair(
                context,
                partition,
                shard,
                damage.offset(),
                new ShardTurn(shard, world.timers()),
                world.clock(),
                () -> underWay.remove(id));
        underWay.put(id, repair);
        repair.begin();
    }

    @Override
    public void leaving(Partition partition) {
        lost.remove(partition.id());
        ReplicaRepair repair = underWay.get(partition.id());
        if (repair != null) {
            repair.giveUp();
        }
    }
}
