package io.millrace.streams.runtime;

import java.util.Map;
import org.apache.kafka.common.Uuid;

/** The cluster and the job's topics as they were when the job started. */
record TopicCatalog(String clusterId, Map<String, Entry> topics) {
    record Entry(Uuid id, int partitions) {}

    Uuid id(String topic) {
        return topics.get(topic).id();
    }
}
