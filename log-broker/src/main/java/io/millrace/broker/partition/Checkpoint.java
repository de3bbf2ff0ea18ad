package io.millrace.broker.partition;

/** Makes the partitions of a shard durable and writes down from where a recovery would have to read. */
public record Checkpoint() implements ShardMessage {

    @Override
    public void deliver(Shard shard) {
        shard.checkpoint();
    }
}
