package io.millrace.broker.metadata;

import io.millrace.broker.metadata.ControllerCommand.AlterPartitions;
import io.millrace.broker.metadata.ControllerCommand.InSyncChange;
import io.millrace.broker.metadata.ControllerCommand.InSyncMember;
import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Leaders say who is in sync with them. */
final class InSyncChanges {

    private InSyncChanges() {}

    static Outcome<List<Outcome<PartitionImage>>> alter(Draft draft, AlterPartitions command) {
        Outcome<BrokerImage> sender = Fencing.registered(draft.image(), command.broker(), command.brokerEpoch());
        if (sender instanceof Outcome.Refused<BrokerImage> refused) {
            // The request knows one error for both: whoever sends it is not a registered broker.
            return Outcome.refused(ErrorCode.STALE_BROKER_EPOCH, refused.message());
        }
        List<Outcome<PartitionImage>> answers = new ArrayList<>();
        for (InSyncChange change : command.changes()) {
            answers.add(alter(draft, command.broker(), change));
        }
        return new Outcome.Done<>(answers);
    }

    private static Outcome<PartitionImage> alter(Draft draft, int sender, InSyncChange change) {
        TopicImage topic = draft.image().topic(change.topicId());
        if (topic == null) {
            return Outcome.refused(ErrorCode.UNKNOWN_TOPIC_ID, "there is no topic with id " + change.topicId());
        }
        PartitionImage partition = draft.partition(topic, change.partition());
        if (partition == null) {
            return Outcome.refused(
                    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                    "topic " + topic.name() + " has " + topic.partitions().size() + " partition(s); there is no "
                            + change.partition());
        }
        Outcome<PartitionImage> refusal = outdated(partition, sender, change);
        if (refusal == null) {
            refusal = misshapen(partition, change);
        }
        if (refusal == null) {
            refusal = ineligible(draft.image(), partition, change);
        }
        if (refusal != null) {
            return refusal;
        }
        return new Outcome.Done<>(
                draft.revise(topic, partition.index(), revised -> revised.agree(nodes(change.inSync()))));
    }

    private static Outcome<PartitionImage> outdated(PartitionImage partition, int sender, InSyncChange change) {
        if (change.leaderEpoch() > partition.leaderEpoch() || change.partitionEpoch() > partition.partitionEpoch()) {
            return Outcome.refused(
                    ErrorCode.NOT_CONTROLLER,
                    "the sender knows leader epoch " + change.leaderEpoch() + " and partition epoch "
                            + change.partitionEpoch() + ", this controller only " + partition.leaderEpoch() + " and "
                            + partition.partitionEpoch() + "; ask the newest controller");
        }
        if (change.leaderEpoch() < partition.leaderEpoch()) {
            return Outcome.refused(
                    ErrorCode.FENCED_LEADER_EPOCH,
                    "leader epoch " + change.leaderEpoch() + " is over; it is " + partition.leaderEpoch() + " now");
        }
        if (partition.leader() != sender) {
            return Outcome.refused(
                    ErrorCode.INVALID_REQUEST,
                    "broker " + sender + " does not lead the partition in epoch " + partition.leaderEpoch() + ", "
                            + (partition.hasLeader() ? "broker " + partition.leader() + " does" : "nobody does"));
        }
        if (change.partitionEpoch() < partition.partitionEpoch()) {
            return Outcome.refused(
                    ErrorCode.INVALID_UPDATE_VERSION,
                    "partition epoch " + change.partitionEpoch() + " is over; it is " + partition.partitionEpoch()
                            + " now");
        }
        return null;
    }

    private static Outcome<PartitionImage> misshapen(PartitionImage partition, InSyncChange change) {
        List<Integer> nodes = nodes(change.inSync());
        boolean fits = partition.replicas().containsAll(nodes)
                && nodes.contains(partition.leader())
                && new HashSet<>(nodes).size() == nodes.size();
        if (fits) {
            return null;
        }
        return Outcome.refused(
                ErrorCode.INVALID_REQUEST,
                "in sync " + nodes + "; allowed are the leader, broker " + partition.leader()
                        + ", and others of the replicas " + partition.replicas() + ", each once");
    }

    private static Outcome<PartitionImage> ineligible(
            ClusterImage image, PartitionImage partition, InSyncChange change) {
        for (InSyncMember member : change.inSync()) {
            BrokerImage broker = image.broker(member.broker());
            boolean joins = !partition.inSync().contains(member.broker());
            if (broker == null || broker.fenced() || (joins && !broker.active())) {
                return Outcome.refused(
                        ErrorCode.INELIGIBLE_REPLICA,
                        "broker " + member.broker() + " is " + (broker == null ? "unknown" : broker.state())
                                + "; only an active one can get in sync");
            }
            if (member.epoch() != InSyncMember.ANY_EPOCH && member.epoch() != broker.epoch()) {
                return Outcome.refused(
                        ErrorCode.INELIGIBLE_REPLICA,
                        "broker " + member.broker() + " has started anew, with epoch " + broker.epoch() + ", since it"
                                + " caught up with epoch " + member.epoch());
            }
        }
        return null;
    }

    private static List<Integer> nodes(List<InSyncMember> members) {
        return members.stream().map(InSyncMember::broker).toList();
    }
}
