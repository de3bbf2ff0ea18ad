package io.millrace.broker.partition;

import io.millrace.broker.log.Forcing;
import io.millrace.kernel.DiskException;

/**
 * A force has ended.
 *
 * @param failure null where all went well
 */
record Forced(Partition partition, Forcing done, DiskException failure) implements ShardMessage {
    @Override
    public void deliver(Shard shard) {
        shard.forced(this);
    }
}
