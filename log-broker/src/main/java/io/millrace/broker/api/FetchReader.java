package io.millrace.broker.api;

import io.millrace.broker.partition.Sight;
import org.apache.kafka.common.message.FetchRequestData;

/**
 * Who fetches.
 *
 * @param replica the broker that follows, or {@link #CLIENT}
 * @param brokerEpoch under which that broker is registered
 * @param followersServe whether a replica that does not lead may answer (KIP-392)
 */
record FetchReader(int replica, long brokerEpoch, Sight sight, boolean followersServe) {
    private static final int CLIENT = -1;
    private static final byte READ_COMMITTED = 1;
    private static final short REPLICA_STATE_SINCE = 15;
    private static final short RACK_SINCE = 11;

    static FetchReader of(FetchRequestData request, short version) {
        boolean state = version >= REPLICA_STATE_SINCE;
        int replica = state ? request.replicaState().replicaId() : request.replicaId();
        if (replica >= 0) {
            long epoch = state ? request.replicaState().replicaEpoch() : -1;
            return new FetchReader(replica, epoch, Sight.EVERYTHING, false);
        }
        Sight sight = request.isolationLevel() == READ_COMMITTED ? Sight.DECIDED : Sight.COMMITTED;
        return new FetchReader(CLIENT, -1, sight, version >= RACK_SINCE);
    }

    boolean isReplica() {
        return replica != CLIENT;
    }
}
