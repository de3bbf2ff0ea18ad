package io.millrace.broker.partition;

import java.util.List;
import org.apache.kafka.common.TopicIdPartition;

/**
 * Another broker fetches as a replica, which tells how far it has come.
 *
 * @param brokerEpoch under which it is registered
 */
public record ReplicaFetched(int replica, long brokerEpoch, List<Progress> progress) implements ShardMessage {

    @Override
    public void deliver(Shard shard) {
        for (Progress one : progress) {
            Partition owner = shard.partition(one.partition().topicPartition());
            if (owner != null && owner.id().equals(one.partition())) {
                owner.fetched(one, replica, brokerEpoch);
                shard.touched(owner);
                shard.checkInSync(owner);
            }
        }
    }

    /**
     * @param lastFetchedEpoch the epoch of the last record there, or -1
     * @param offset everything below it is stored there
     */
    public record Progress(TopicIdPartition partition, int leaderEpoch, int lastFetchedEpoch, long offset) {}
}
