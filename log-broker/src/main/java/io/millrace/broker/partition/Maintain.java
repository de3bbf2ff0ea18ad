package io.millrace.broker.partition;

/** Time for a kind of housekeeping on every partition of a shard. */
public record Maintain(Kind kind) implements ShardMessage {

    /** What is done. */
    public enum Kind {
        /** Close old segments, remove what retention no longer keeps, forget idle producers. */
        RETENTION,
        /** Compact what has become dirty enough. */
        COMPACTION,
        /** See which replicas have fallen behind. */
        IN_SYNC
    }

    @Override
    public void deliver(Shard shard) {
        shard.maintain(kind);
    }
}
