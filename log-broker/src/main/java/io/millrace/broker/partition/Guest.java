package io.millrace.broker.partition;

/** Something that lives on the partitions of a shard, such as a coordinator; called on the shard's thread. */
public interface Guest {

    void opened(Partition partition, Shard shard);

    void closing(Partition partition);
}
