package io.millrace.broker.partition;

import io.millrace.broker.log.Damage;

/**
 * Something that lives on the partitions of a shard: a coordinator where this broker leads, a fetcher where it follows.
 * Called on the shard's thread.
 */
public interface Guest {

    /** This broker leads the partition from now on, in a new epoch. */
    default void leading(Partition partition, Shard shard) {}

    /** Another broker leads it from now on. */
    default void following(Partition partition, Shard shard) {}

    /** More of its log is stored, where that takes a force. */
    default void stored(Partition partition) {}

    /** A log of a partition here is damaged at a place; told again and again as long as readers find it. */
    default void damaged(Partition partition, Damage damage, Shard shard) {}

    /** Called several times a second while the partition is here. */
    default void look(Partition partition) {}

    /** What it was told before is over; called before the partition has its next part, and when it goes. */
    void leaving(Partition partition);
}
