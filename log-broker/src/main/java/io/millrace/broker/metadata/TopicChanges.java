package io.millrace.broker.metadata;

import io.millrace.broker.metadata.ControllerCommand.CreatePartitions;
import io.millrace.broker.metadata.ControllerCommand.CreateTopic;
import io.millrace.broker.metadata.ControllerCommand.DeleteTopic;
import io.millrace.broker.metadata.MetadataEvent.PartitionForgotten;
import io.millrace.broker.metadata.MetadataEvent.TopicChanged;
import io.millrace.broker.metadata.MetadataEvent.TopicDeleted;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.Entropy;
import java.util.UUID;
import org.apache.kafka.common.Uuid;

/** Topics are made, grow, and go. */
record TopicChanges(TopicPlan plan, Entropy entropy) {

    Outcome<TopicImage> create(Draft draft, CreateTopic command) {
        Outcome<TopicImage> outcome = plan.create(draft.image(), command, newTopicId(draft.image()));
        return record(draft, outcome, command.validateOnly());
    }

    private Uuid newTopicId(ClusterImage image) {
        while (true) {
            UUID random = entropy.uuid();
            Uuid id = new Uuid(random.getMostSignificantBits(), random.getLeastSignificantBits());
            // Ids that begin with a dash look like an option on a command line.
            if (image.topic(id) == null && !id.toString().startsWith("-")) {
                return id;
            }
        }
    }

    Outcome<TopicImage> grow(Draft draft, CreatePartitions command) {
        return record(draft, plan.grow(draft.image(), command), command.validateOnly());
    }

    private static Outcome<TopicImage> record(Draft draft, Outcome<TopicImage> outcome, boolean validateOnly) {
        if (outcome instanceof Outcome.Done<TopicImage> done && !validateOnly) {
            draft.add(new TopicChanged(done.value()));
        }
        return outcome;
    }

    Outcome<TopicImage> delete(Draft draft, DeleteTopic command) {
        TopicImage topic = draft.image().topic(command.id());
        if (topic == null) {
            return Outcome.refused(ErrorCode.UNKNOWN_TOPIC_ID, "there is no topic with id " + command.id());
        }
        draft.add(new TopicDeleted(topic.id()));
        topic.partitions().stream()
                .filter(partition -> partition.partitionEpoch() > 0)
                .forEach(partition -> draft.add(new PartitionForgotten(topic.id(), partition.index())));
        return new Outcome.Done<>(topic);
    }
}
