package io.millrace.broker.api;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;

/**
 * A partition that a fetch wants, as the client named it. A session asks for it over and over, so what identifies it is
 * made once.
 *
 * @param name the topic's name; null where the id is unknown
 * @param partition as it is found here
 * @param key what identifies it within a session
 */
record FetchWanted(Uuid topicId, String name, FetchPartition request, TopicPartition partition, Key key) {

    static FetchWanted of(Uuid topicId, String name, FetchPartition request) {
        int number = request.partition();
        return new FetchWanted(topicId, name, request, new TopicPartition(name, number), Key.of(topicId, name, number));
    }

    /** By id where the client gave one, so that a topic made anew is another one. */
    record Key(Uuid topicId, String name, int partition) {
        static Key of(Uuid topicId, String name, int partition) {
            return Topics.isGiven(topicId) ? new Key(topicId, "", partition) : new Key(Uuid.ZERO_UUID, name, partition);
        }
    }
}
