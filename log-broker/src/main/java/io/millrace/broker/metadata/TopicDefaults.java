package io.millrace.broker.metadata;

import io.millrace.broker.settings.BrokerSettings;
import io.millrace.broker.settings.Values;
import java.util.Map;
import java.util.TreeMap;

/** What a topic gets that does not say: the broker's settings, with what was set while running over them. */
public record TopicDefaults(int nodeId, Map<String, String> atStart) {

    /** The broker's settings of this moment. */
    public Values of(ClusterImage image) {
        Map<String, String> settings = new TreeMap<>(atStart);
        settings.putAll(image.settingsOf(nodeId));
        return Values.ofBroker(settings);
    }

    int partitions(ClusterImage image) {
        return of(image).number(BrokerSettings.NUM_PARTITIONS);
    }

    int replicationFactor(ClusterImage image) {
        return of(image).number(BrokerSettings.DEFAULT_REPLICATION_FACTOR);
    }
}
