package io.millrace.broker.api;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;

/**
 * A partition that a fetch wants, as the client named it.
 *
 * @param name the topic's name; null where the id is unknown
 */
record FetchWanted(Uuid topicId, String name, FetchPartition request) {

    TopicPartition partition() {
        return new TopicPartition(name, request.partition());
    }

    /** What identifies the partition within a session. */
    Key key() {
        return new Key(Topics.isGiven(topicId) ? topicId.toString() : name, request.partition());
    }

    record Key(String topic, int partition) {}
}
