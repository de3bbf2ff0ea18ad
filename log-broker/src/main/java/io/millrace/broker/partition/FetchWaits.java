package io.millrace.broker.partition;

import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** A reader that found too little asks to be woken when one of its partitions has more. */
public record FetchWaits(List<Wait> waits, Reader reader) implements ShardMessage {

    @Override
    public void deliver(Shard shard) {
        for (Wait wait : waits) {
            Partition owner = shard.partition(wait.partition());
            if (owner == null) {
                reader.wake();
            } else {
                owner.await(wait, reader);
            }
        }
    }

    /**
     * @param seenEnd the end of what it could see when it looked
     */
    public record Wait(TopicPartition partition, Sight sight, long seenEnd) {}

    /** Someone who waits. Called on a shard's thread, perhaps more than once. */
    public interface Reader {

        void wake();

        /** Whether nobody is waiting any more. */
        boolean gone();

        /** Who waits: a newer wait of the same owner replaces an older one. */
        Object owner();
    }
}
