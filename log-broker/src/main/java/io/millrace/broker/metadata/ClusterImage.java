package io.millrace.broker.metadata;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;

/**
 * The cluster at one moment. Immutable, so that it can cross threads.
 *
 * @param brokers all that have registered, also those that are fenced just now
 * @param settings what was set while running, by node id; the empty name stands for all brokers
 */
public record ClusterImage(
        String clusterId,
        NavigableMap<Integer, BrokerImage> brokers,
        NavigableMap<String, TopicImage> topics,
        Map<Uuid, String> names,
        NavigableMap<String, Map<String, String>> settings) {

    public static ClusterImage empty(String clusterId) {
        return new ClusterImage(
                clusterId,
                Collections.emptyNavigableMap(),
                Collections.emptyNavigableMap(),
                Map.of(),
                Collections.emptyNavigableMap());
    }

    /** The topic of a name, or null. */
    public TopicImage topic(String name) {
        return topics.get(name);
    }

    /** The topic of an id, or null. */
    public TopicImage topic(Uuid id) {
        String name = names.get(id);
        return name == null ? null : topics.get(name);
    }

    /** The partition, or null where the topic or the number does not exist. */
    public PartitionImage partition(String topic, int index) {
        TopicImage image = topic == null ? null : topics.get(topic);
        return image == null ? null : image.partition(index);
    }

    /** The broker of an id, or null. */
    public BrokerImage broker(int id) {
        return brokers.get(id);
    }

    /** The brokers that clients may talk to. */
    public List<BrokerImage> unfenced() {
        return brokers.values().stream().filter(broker -> !broker.fenced()).toList();
    }

    /** The brokers that get new partitions. */
    public List<BrokerImage> active() {
        return brokers.values().stream().filter(BrokerImage::active).toList();
    }

    /** Whether a broker is there and has not been fenced. */
    public boolean isUnfenced(int id) {
        BrokerImage broker = brokers.get(id);
        return broker != null && !broker.fenced();
    }

    /** Whether a broker is there and may lead and be in sync. */
    public boolean isActive(int id) {
        BrokerImage broker = brokers.get(id);
        return broker != null && broker.active();
    }

    /** What is set for a broker while it runs: its own settings over those of all. */
    public Map<String, String> settingsOf(int nodeId) {
        Map<String, String> merged = new TreeMap<>(settings.getOrDefault("", Map.of()));
        merged.putAll(settings.getOrDefault(String.valueOf(nodeId), Map.of()));
        return merged;
    }
}
