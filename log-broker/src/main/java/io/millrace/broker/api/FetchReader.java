package io.millrace.broker.api;

import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.partition.Sight;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.FetchRequestData;

/**
 * Who fetches.
 *
 * @param replica the broker that follows, or {@link #CLIENT}
 * @param brokerEpoch under which that broker is registered
 * @param followersServe whether a replica that does not lead may answer (KIP-392)
 * @param rack where a client is, or empty
 */
record FetchReader(int replica, long brokerEpoch, Sight sight, boolean followersServe, String rack) {
    static final int NOBODY = -1;
    private static final int CLIENT = -1;
    private static final byte READ_COMMITTED = 1;
    private static final short REPLICA_STATE_SINCE = 15;
    private static final short RACK_SINCE = 11;

    static FetchReader of(FetchRequestData request, short version) {
        boolean state = version >= REPLICA_STATE_SINCE;
        int replica = state ? request.replicaState().replicaId() : request.replicaId();
        if (replica >= 0) {
            long epoch = state ? request.replicaState().replicaEpoch() : -1;
            return new FetchReader(replica, epoch, Sight.EVERYTHING, false, "");
        }
        Sight sight = request.isolationLevel() == READ_COMMITTED ? Sight.DECIDED : Sight.COMMITTED;
        boolean racks = version >= RACK_SINCE;
        return new FetchReader(CLIENT, -1, sight, racks, racks ? request.rackId() : "");
    }

    boolean isReplica() {
        return replica != CLIENT;
    }

    /** An in-sync replica in the rack of a client where the leader is in another one; else {@link #NOBODY}. */
    int closerReplica(ApiContext context, TopicPartition partition) {
        ClusterImage image = context.image();
        BrokerImage self = rack.isEmpty() ? null : image.broker(context.nodeId());
        PartitionImage known = self == null || self.rack().equals(rack)
                ? null
                : image.partition(partition.topic(), partition.partition());
        if (known == null) {
            return NOBODY;
        }
        return known.inSync().stream()
                .filter(node ->
                        image.isActive(node) && image.broker(node).rack().equals(rack))
                .findFirst()
                .orElse(NOBODY);
    }
}
