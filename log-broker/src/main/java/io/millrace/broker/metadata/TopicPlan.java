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
        int factor = create.replicationFactor() == -1 ? defaults.replicationFactor(image) : create.replicationFactor();
        if (partitions < 1 || partitions > MAX_PARTITIONS) {
            return Outcome.refused(
                    ErrorCode.INVALID_PARTITIONS,
                    partitions + " partitions; allowed are 1 to " + MAX_PARTITIONS + ", or -1 for the default");
        }
        if (factor < 1 || factor > image.brokers().size()) {
            return Outcome.refused(
                    ErrorCode.INVALID_REPLICATION_FACTOR,
                    "replication factor " + factor + "; allowed are 1 to the number of brokers, which is "
                            + image.brokers().size());
        }
        List<PartitionImage> spread = Placement.spread(image.brokers(), 0, partitions, factor);
        return new Outcome.Done<>(new TopicImage(id, create.name(), spread, create.settings()));
    }

    private static Outcome<TopicImage> assigned(ClusterImage image, CreateTopic create, Uuid id) {
        if (create.partitions() != -1 || create.replicationFactor() != -1) {
            return Outcome.refused(
                    ErrorCode.INVALID_REQUEST, "give an assignment, or counts of partitions and replicas, not both");
        }
        List<PartitionImage> partitions = new ArrayList<>();
        for (int index = 0; index < create.assignment().size(); index++) {
            List<Integer> replicas = create.assignment().get(index);
            if (replicas == null) {
                return Outcome.refused(
                        ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                        "the assignment names partitions " + create.assignment().keySet() + " but not " + index);
            }
            Outcome.Refused<TopicImage> refusal = Placement.refusal(image, replicas);
            if (refusal != null) {
                return refusal;
            }
            partitions.add(Placement.created(index, replicas));
        }
        return new Outcome.Done<>(new TopicImage(id, create.name(), partitions, create.settings()));
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
        List<PartitionImage> partitions = new ArrayList<>(topic.partitions());
        if (grow.assignment().isEmpty()) {
            int factor = topic.partitions().get(0).replicas().size();
            partitions.addAll(Placement.spread(image.brokers(), current, added, factor));
        } else if (grow.assignment().size() != added) {
            return Outcome.refused(
                    ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                    grow.assignment().size() + " assignments for " + added + " new partitions");
        } else {
            for (List<Integer> replicas : grow.assignment()) {
                Outcome.Refused<TopicImage> refusal = Placement.refusal(image, replicas);
                if (refusal != null) {
                    return refusal;
                }
                partitions.add(Placement.created(partitions.size(), replicas));
            }
        }
        return new Outcome.Done<>(new TopicImage(topic.id(), topic.name(), partitions, topic.settings()));
    }
}
