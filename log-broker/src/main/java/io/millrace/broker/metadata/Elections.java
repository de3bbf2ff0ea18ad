package io.millrace.broker.metadata;

import io.millrace.broker.metadata.ControllerCommand.ElectLeaders;
import io.millrace.broker.metadata.ControllerCommand.Elected;
import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;

/** Elections that somebody asks for (KIP-460), or the time. */
final class Elections {

    private Elections() {}

    static List<Elected> elect(Draft draft, ElectLeaders command) {
        boolean all = command.partitions() == null;
        List<Elected> answers = new ArrayList<>();
        for (TopicPartition partition : all ? everything(draft.image()) : command.partitions()) {
            Outcome<PartitionImage> outcome = elect(draft, command.type(), partition);
            if (!all || outcome.error() != ErrorCode.ELECTION_NOT_NEEDED) {
                answers.add(new Elected(partition, outcome));
            }
        }
        return answers;
    }

    private static List<TopicPartition> everything(ClusterImage image) {
        List<TopicPartition> all = new ArrayList<>();
        image.topics()
                .values()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> all.add(new TopicPartition(topic.name(), partition.index()))));
        return all;
    }

    private static Outcome<PartitionImage> elect(Draft draft, ElectionType type, TopicPartition name) {
        TopicImage topic = draft.image().topic(name.topic());
        PartitionImage partition = topic == null ? null : draft.partition(topic, name.partition());
        if (partition == null) {
            return Outcome.refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "there is no partition " + name);
        }
        return type == ElectionType.PREFERRED
                ? electPreferred(draft, topic, partition)
                : electUnclean(draft, topic, partition);
    }

    private static Outcome<PartitionImage> electPreferred(Draft draft, TopicImage topic, PartitionImage partition) {
        int preferred = partition.preferred();
        if (partition.leader() == preferred) {
            return Outcome.refused(
                    ErrorCode.ELECTION_NOT_NEEDED, "the preferred replica, broker " + preferred + ", leads already");
        }
        if (!partition.preferredIsReady(draft.image())) {
            return Outcome.refused(
                    ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE,
                    "the preferred replica, broker " + preferred + ", is not active and in sync; in sync are "
                            + partition.inSync());
        }
        return new Outcome.Done<>(draft.revise(topic, partition.index(), PartitionDraft::prefer));
    }

    private static Outcome<PartitionImage> electUnclean(Draft draft, TopicImage topic, PartitionImage partition) {
        if (partition.hasLeader()) {
            return Outcome.refused(
                    ErrorCode.ELECTION_NOT_NEEDED,
                    "broker " + partition.leader() + " leads; an unclean election is for partitions without a leader");
        }
        PartitionImage elected = draft.revise(topic, partition.index(), PartitionDraft::allowUnclean);
        if (!elected.hasLeader()) {
            return Outcome.refused(
                    ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE,
                    "all replicas are fenced: " + partition.replicas() + "; start one of these brokers");
        }
        return new Outcome.Done<>(elected);
    }

    /** Every preferred replica that can lead does so again. */
    static void restorePreferred(Draft draft) {
        draft.reviseAll(PartitionDraft::prefer);
    }
}
