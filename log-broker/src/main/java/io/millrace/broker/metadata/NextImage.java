package io.millrace.broker.metadata;

import io.millrace.broker.metadata.MetadataEvent.BrokerChanged;
import io.millrace.broker.metadata.MetadataEvent.BrokerRemoved;
import io.millrace.broker.metadata.MetadataEvent.PartitionChanged;
import io.millrace.broker.metadata.MetadataEvent.SettingsChanged;
import io.millrace.broker.metadata.MetadataEvent.TopicChanged;
import io.millrace.broker.metadata.MetadataEvent.TopicDeleted;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;

/**
 * An image in the making. Whatever many events change is copied once: a broker that is fenced may change thousands of
 * partitions, and they must not cost thousands of images.
 */
final class NextImage {
    private final ClusterImage before;
    private final Map<Uuid, List<PartitionImage>> partitions = new LinkedHashMap<>();
    private NavigableMap<Integer, BrokerImage> brokers;
    private NavigableMap<String, TopicImage> topics;
    private Map<Uuid, String> names;
    private NavigableMap<String, Map<String, String>> settings;

    NextImage(ClusterImage before) {
        this.before = before;
        this.brokers = before.brokers();
        this.topics = before.topics();
        this.names = before.names();
        this.settings = before.settings();
    }

    /** Adds an event; one that is not about the image leaves it as it is. */
    void apply(MetadataEvent event) {
        if (event instanceof PartitionChanged changed) {
            change(changed);
        } else if (event instanceof TopicChanged changed) {
            change(changed.topic());
        } else if (event instanceof TopicDeleted deleted) {
            delete(deleted.id());
        } else if (event instanceof BrokerChanged changed) {
            ownBrokers().put(changed.broker().id(), changed.broker());
        } else if (event instanceof BrokerRemoved removed) {
            ownBrokers().remove(removed.id());
        } else if (event instanceof SettingsChanged changed) {
            settings = new TreeMap<>(settings);
            settings.put(changed.node(), Collections.unmodifiableMap(new TreeMap<>(changed.settings())));
        }
    }

    private void change(PartitionChanged changed) {
        String name = names.get(changed.topicId());
        if (name == null) {
            return;
        }
        List<PartitionImage> ofTopic = partitions.computeIfAbsent(
                changed.topicId(), id -> new ArrayList<>(topics.get(name).partitions()));
        if (changed.partition().index() < ofTopic.size()) {
            ofTopic.set(changed.partition().index(), changed.partition());
        }
    }

    private void change(TopicImage topic) {
        partitions.remove(topic.id());
        ownTopics().put(topic.name(), topic);
        ownNames().put(topic.id(), topic.name());
    }

    private void delete(Uuid id) {
        partitions.remove(id);
        String name = ownNames().remove(id);
        if (name != null) {
            ownTopics().remove(name);
        }
    }

    @SuppressWarnings("ReferenceEquality") // whether it has been copied yet
    private NavigableMap<Integer, BrokerImage> ownBrokers() {
        if (brokers == before.brokers()) {
            brokers = new TreeMap<>(brokers);
        }
        return brokers;
    }

    @SuppressWarnings("ReferenceEquality")
    private NavigableMap<String, TopicImage> ownTopics() {
        if (topics == before.topics()) {
            topics = new TreeMap<>(topics);
        }
        return topics;
    }

    @SuppressWarnings("ReferenceEquality")
    private Map<Uuid, String> ownNames() {
        if (names == before.names()) {
            names = new HashMap<>(names);
        }
        return names;
    }

    /** The image after all events; the same one where they have changed nothing. */
    @SuppressWarnings("ReferenceEquality")
    ClusterImage image() {
        partitions.forEach((id, ofTopic) -> {
            TopicImage topic = topics.get(names.get(id));
            ownTopics().put(topic.name(), new TopicImage(id, topic.name(), ofTopic, topic.settings()));
        });
        boolean same = brokers == before.brokers() && topics == before.topics() && settings == before.settings();
        if (same) {
            return before;
        }
        return new ClusterImage(
                before.clusterId(),
                Collections.unmodifiableNavigableMap(brokers),
                Collections.unmodifiableNavigableMap(topics),
                Collections.unmodifiableMap(names),
                Collections.unmodifiableNavigableMap(settings));
    }
}
