package io.millrace.broker.partition;

import io.millrace.broker.replication.LeaderState;
import org.apache.kafka.common.TopicIdPartition;

/** An in-sync set is proposed (again), unless its question is settled meanwhile. */
record ProposeInSync(TopicIdPartition partition, LeaderState.Proposal proposal) implements ShardMessage {

    @Override
    public void deliver(Shard shard) {
        Partition owner = shard.partition(partition.topicPartition());
        LeaderState leader = owner == null ? null : owner.leaderState();
        if (leader != null && leader.awaits(proposal)) {
            shard.propose(partition, proposal);
        }
    }
}
