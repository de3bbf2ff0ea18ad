package io.millrace.broker.partition;

/** Everything that can happen on a shard. */
public sealed interface ShardMessage
        permits Produce,
                WriteMarker,
                Registered,
                FetchWaits,
                WakeReader,
                Ask,
                ImageChanged,
                Maintain,
                Checkpoint,
                CheckpointDone,
                Forced,
                Compact,
                Damaged,
                DeleteRecords,
                ExpireWaits,
                AbortHanging,
                HostedMessage,
                ReplicaFetched,
                ProposeInSync,
                InSyncAnswered,
                ShardMessage.Barrier {

    /** Called on the shard's thread. */
    void deliver(Shard shard);

    /** Runs once everything submitted before it has been handled. */
    record Barrier(Runnable reached) implements ShardMessage {
        @Override
        public void deliver(Shard shard) {
            reached.run();
        }
    }
}
