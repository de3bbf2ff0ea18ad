package io.millrace.broker.metadata;

import io.millrace.broker.metadata.ControllerCommand.AlterReassignments;
import io.millrace.broker.metadata.ControllerCommand.Reassignment;
import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;

/**
 * Partitions move to other brokers (KIP-455): the new replicas are added, and the old ones removed when all replicas that
 * the partition shall have are in sync. A new reassignment takes the place of one under way.
 */
final class Reassignments {

    private Reassignments() {}

    static List<Outcome<PartitionImage>> alter(Draft draft, AlterReassignments command) {
        List<Outcome<PartitionImage>> answers = new ArrayList<>();
        for (Reassignment change : command.changes()) {
            answers.add(alter(draft, change, command.allowFactorChange()));
        }
        return answers;
    }

    private static Outcome<PartitionImage> alter(Draft draft, Reassignment change, boolean allowFactorChange) {
        TopicImage topic = draft.image().topic(change.topic());
        PartitionImage partition = topic == null ? null : draft.partition(topic, change.partition());
        if (partition == null) {
            return Outcome.refused(
                    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                    "there is no partition " + change.topic() + "-" + change.partition());
        }
        Outcome<PartitionImage> refusal = change.replicas() == null
                ? nothingToCancel(partition)
                : unfit(draft.image(), partition, change.replicas(), allowFactorChange);
        if (refusal != null) {
            return refusal;
        }
        Assignment assignment = change.replicas() == null
                ? Assignment.cancelled(partition)
                : Assignment.between(partition, change.replicas());
        return move(draft, topic, partition, assignment);
    }

    private static Outcome<PartitionImage> nothingToCancel(PartitionImage partition) {
        return partition.isReassigning()
                ? null
                : Outcome.refused(
                        ErrorCode.NO_REASSIGNMENT_IN_PROGRESS,
                        "no reassignment of the partition is under way; its replicas are " + partition.replicas());
    }

    private static Outcome<PartitionImage> unfit(
            ClusterImage image, PartitionImage partition, List<Integer> replicas, boolean allowFactorChange) {
        String refusal = Placement.refusal(image, replicas, partition.replicas());
        if (refusal != null) {
            return Outcome.refused(ErrorCode.INVALID_REPLICA_ASSIGNMENT, refusal);
        }
        int factor = Assignment.cancelled(partition).replicas().size();
        if (!allowFactorChange && replicas.size() != factor) {
            return Outcome.refused(
                    ErrorCode.INVALID_REPLICATION_FACTOR,
                    replicas.size() + " replicas where there are " + factor
                            + "; the request does not allow another replication factor");
        }
        return null;
    }

    private static Outcome<PartitionImage> move(
            Draft draft, TopicImage topic, PartitionImage partition, Assignment assignment) {
        if (partition.inSync().stream().noneMatch(assignment.replicas()::contains)) {
            return Outcome.refused(
                    ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                    "none of the replicas in sync, " + partition.inSync() + ", would remain among "
                            + assignment.replicas() + ", and records would be lost");
        }
        return new Outcome.Done<>(draft.revise(topic, partition.index(), revised -> revised.assign(assignment)));
    }

    /** Moves a partition to replicas that the controller has chosen; answers whether it is on its way. */
    static boolean move(Draft draft, TopicImage topic, PartitionImage partition, List<Integer> target) {
        Assignment assignment = Assignment.between(partition, target);
        return move(draft, topic, partition, assignment) instanceof Outcome.Done;
    }
}
