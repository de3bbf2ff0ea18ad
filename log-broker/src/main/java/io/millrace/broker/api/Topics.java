package io.millrace.broker.api;

import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.wire.ErrorCode;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** Topics as requests name them: by name in old versions, by id in new ones. */
final class Topics {
    private Topics() {}

    /** The topic meant by a name, or by an id where one is given; null when there is none. */
    static TopicImage find(ClusterImage image, String name, Uuid id) {
        return isGiven(id) ? image.topic(id) : image.topic(name);
    }

    /** What to answer for a topic that there is not. */
    static ErrorCode unknown(Uuid id) {
        return isGiven(id) ? ErrorCode.UNKNOWN_TOPIC_ID : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
    }

    /** The name of a topic that a request may have named by its id alone; null where there is no such topic. */
    static String name(ClusterImage image, String name, Uuid id) {
        if (!isGiven(id)) {
            return name;
        }
        TopicImage known = image.topic(id);
        return known == null ? null : known.name();
    }

    static boolean isGiven(Uuid id) {
        return id != null && !id.equals(Uuid.ZERO_UUID);
    }

    /** Why a partition of an existing topic has no place on this broker. */
    static ErrorCode missing(TopicImage topic, int partition) {
        return topic.partition(partition) == null
                ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
                : ErrorCode.NOT_LEADER_OR_FOLLOWER;
    }

    /** Whether a client's idea of the leader epoch is out of date, or ahead of ours; -1 for no idea. */
    static ErrorCode epochRefusal(PartitionRegistry.Place place, int claimed) {
        int current = place.partition().leaderEpoch();
        if (claimed < 0 || claimed == current) {
            return ErrorCode.NONE;
        }
        return claimed < current ? ErrorCode.FENCED_LEADER_EPOCH : ErrorCode.UNKNOWN_LEADER_EPOCH;
    }

    /** The same for what the leader alone may answer. */
    static ErrorCode leaderRefusal(PartitionRegistry.Place place, int claimed) {
        ErrorCode epoch = epochRefusal(place, claimed);
        boolean leads = place.partition().standing().leads();
        return epoch == ErrorCode.NONE && !leads ? ErrorCode.NOT_LEADER_OR_FOLLOWER : epoch;
    }

    static TopicPartition partition(TopicImage topic, int index) {
        return new TopicPartition(topic.name(), index);
    }
}
