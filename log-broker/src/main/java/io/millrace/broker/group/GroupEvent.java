package io.millrace.broker.group;

import io.millrace.broker.log.TransactionMarker;
import org.apache.kafka.common.TopicPartition;

/** What has happened to groups and their offsets. */
public sealed interface GroupEvent {

    /** @param recorded whether a restart must know of it */
    record Replaced(Group group, boolean recorded) implements GroupEvent {}

    record Removed(String group) implements GroupEvent {}

    record Committed(String group, TopicPartition partition, Offset offset) implements GroupEvent {}

    record Forgotten(String group, TopicPartition partition) implements GroupEvent {}

    /** An offset was sent in a transaction that is still open. */
    record Pending(long producerId, short producerEpoch, String group, TopicPartition partition, Offset offset)
            implements GroupEvent {}

    record PendingOver(long producerId, String group, TopicPartition partition) implements GroupEvent {}

    /**
     * A reader was told of a group's offsets as they are agreed at this moment. Recorded although nothing changes: only a
     * coordinator that still is the one gets it committed, so a replaced one cannot answer with what was true once.
     */
    record Read(String group) implements GroupEvent {}

    /** A transaction's coordinator is being asked whether offsets may be taken. Not recorded. */
    record Asked(GroupCommand.CommitInTransaction command) implements GroupEvent {}

    /** The answer is there. Not recorded. */
    record AskedOver(GroupCommand.CommitInTransaction command) implements GroupEvent {}

    /** The transaction of commands whose answer is awaited has ended, which makes those answers out of date. */
    record Overtaken(TransactionMarker marker) implements GroupEvent {}

    /** Retention of offsets is looked at again later. Not recorded. */
    record RetentionChecked(long nextMs) implements GroupEvent {}
}
