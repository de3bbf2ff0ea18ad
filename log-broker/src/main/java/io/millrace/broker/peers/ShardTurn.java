package io.millrace.broker.peers;

import io.millrace.broker.partition.Shard;
import io.millrace.broker.partition.ShardMessage;
import io.millrace.kernel.Timers;

/** Tasks of a shard, between its messages. */
record ShardTurn(Shard shard, Timers timers) implements Turn {

    @Override
    public void run(Runnable task) {
        shard.loop().submit(new ShardMessage.Barrier(task));
    }

    @Override
    public Timers.Timer after(long delayMs, Runnable task) {
        return timers.after(delayMs, shard.loop(), new ShardMessage.Barrier(task));
    }
}
