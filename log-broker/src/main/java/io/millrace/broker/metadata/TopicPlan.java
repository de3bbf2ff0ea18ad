package io.millrace.broker.metadata;

import io.millrace.broker.metadata.ControllerCommand.CreatePartitions;
import io.millrace.broker.metadata.ControllerCommand.CreateTopic;
import io.millrace.broker.settings.InvalidSetting;
import io.millrace.broker.settings.TopicSettings;
import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;

/** What a topic will look like, or why it cannot be had. */
final class TopicPlan {
    private static final int MAX_PARTITIONS = 100_000;

    private final TopicDefaults defaults;

    TopicPlan(TopicDefaults defaults) {
        this.defaults = defaults;
    }

    Outcome<TopicImage> create(ClusterImage image, CreateTopic create, Uuid id) {
        String illegal = TopicName.refusal(create.name());
        if (illegal != null) {
            return Outcome.refused(ErrorCode.INVALID_TOPIC_EXCEPTION, illegal);
        }
        if (image.topic(create.name()) != null) {
            return Outcome.refused(ErrorCode.TOPIC_ALREADY_EXISTS, "Topic '" + create.name() + "' already exists.");
        }
        for (String other : image.topics().keySet()) {
            if (TopicName.collide(create.name(), other)) {
                return Outcome.refused(
                        ErrorCode.INVALID_TOPIC_EXCEPTION,
                        "topic name '" + create.name() + "' differs from '" + other + "' only in '.' and '_'");
            }
        }
        try {
            TopicSettings.TABLE.check(create.settings());
        } catch (InvalidSetting e) {
            return Outcome.refused(ErrorCode.INVALID_CONFIG, e.getMessage());
        }
        return create.assignment().isEmpty() ? spread(image, create, id) : assigned(image, create, id);
    }

    private Outcome<TopicImage> spread(ClusterImage image, CreateTopic create, Uuid id) {
        int partitions = create.partitions() == -1 ? defaults.partitions(image) : create.partitions();
        int factor = factor(image, create);
        if (partitions < 1 || partitions > MAX_PARTITIONS) {
            return Outcome.refused(
                    ErrorCode.INVALID_PARTITIONS,
                    partitions + " partitions; allowed are 1 to " + MAX_PARTITIONS + ", or -1 for the default");
        }
        Outcome.Refused<TopicImage> refusal = tooFewBrokers(image, factor);
        if (refusal != null) {
            return refusal;
        }
        List<PartitionImage> spread = Placement.spread(image.active(), id, List.of(), partitions, factor);
        return new Outcome.Done<>(new TopicImage(id, create.name(), spread, create.settings()));
    }

    private int factor(ClusterImage image, CreateTopic create) {
        if (create.replicationFactor() != -1) {
            return create.replicationFactor();
        }
        return TopicImage.isInternal(create.name())
                ? Math.max(1, Background.internalReplicas(image))
                : defaults.replicationFactor(image);
    }

    private static Outcome.Refused<TopicImage> tooFewBrokers(ClusterImage image, int factor) {
        int active = image.active().size();
        if (factor >= 1 && factor <= active) {
            return null;
        }
        return new Outcome.Refused<>(
                ErrorCode.INVALID_REPLICATION_FACTOR,
                "replication factor " + factor + "; allowed are 1 to the number of active brokers, which is " + active
                        + " of " + image.brokers().size());
    }

    private static Outcome<TopicImage> assigned(ClusterImage image, CreateTopic create, Uuid id) {
        if (create.partitions() != -1 || create.replicationFactor() != -1) {
            return Outcome.refused(
                    ErrorCode.INVALID_REQUEST, "give an assignment, or counts of partitions and replicas, not both");
        }
        List<List<Integer>> assignment = new ArrayList<>();
        for (int index = 0; index < create.assignment().size(); index++) {
            List<Integer> replicas = create.assignment().get(index);
            if (replicas == null) {
                return Outcome.refused(
                        ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                        "the assignment names partitions " + create.assignment().keySet() + " but not " + index);
            }
            assignment.add(replicas);
        }
        TopicImage empty = new TopicImage(id, create.name(), List.of(), create.settings());
        return assigned(image, empty, assignment, assignment.get(0).size());
    }

    /** With more partitions whose replicas somebody has chosen. Those that are not active are not in sync at first. */
    private static Outcome<TopicImage> assigned(
            ClusterImage image, TopicImage topic, List<List<Integer>> assignment, int factor) {
        List<PartitionImage> partitions = new ArrayList<>(topic.partitions());
        for (List<Integer> replicas : assignment) {
            String refusal = Placement.refusal(image, replicas, List.of());
            if (refusal == null && replicas.size() != factor) {
                refusal = "replicas " + replicas + ": every partition of a topic has as many replicas, here " + factor;
            }
            List<Integer> active = replicas.stream().filter(image::isActive).toList();
            if (refusal == null && active.isEmpty()) {
                refusal = "replicas " + replicas + ": none of these brokers is active";
            }
            if (refusal != null) {
                return Outcome.refused(ErrorCode.INVALID_REPLICA_ASSIGNMENT, refusal);
            }
            partitions.add(PartitionImage.created(partitions.size(), replicas, active));
        }
        return new Outcome.Done<>(new TopicImage(topic.id(), topic.name(), partitions, topic.settings()));
    }

    Outcome<TopicImage> grow(ClusterImage image, CreatePartitions grow) {
        TopicImage topic = image.topic(grow.topic());
        if (topic == null) {
            return Outcome.refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "there is no topic " + grow.topic());
        }
        int current = topic.partitions().size();
        if (grow.totalCount() <= current || grow.totalCount() > MAX_PARTITIONS) {
            return Outcome.refused(
                    ErrorCode.INVALID_PARTITIONS,
                    "Topic " + grow.topic() + " has " + current + " partition(s); " + grow.totalCount()
                            + " is not a larger count up to " + MAX_PARTITIONS);
        }
        int added = grow.totalCount() - current;
        int factor = topic.partition(0).target().size();
        if (grow.assignment().isEmpty()) {
            return grown(image, topic, added, factor);
        }
        if (grow.assignment().size() != added) {
            return Outcome.refused(
                    ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                    grow.assignment().size() + " assignments for " + added + " new partitions");
        }
        return assigned(image, topic, grow.assignment(), factor);
    }

    private static Outcome<TopicImage> grown(ClusterImage image, TopicImage topic, int added, int factor) {
        Outcome.Refused<TopicImage> refusal = tooFewBrokers(image, factor);
        if (refusal != null) {
            return refusal;
        }
        List<PartitionImage> partitions = new ArrayList<>(topic.partitions());
        partitions.addAll(Placement.spread(image.active(), topic.id(), topic.partitions(), added, factor));
        return new Outcome.Done<>(new TopicImage(topic.id(), topic.name(), partitions, topic.settings()));
    }
}
