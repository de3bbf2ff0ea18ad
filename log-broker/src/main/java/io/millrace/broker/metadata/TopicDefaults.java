package io.millrace.broker.metadata;

import io.millrace.broker.settings.BrokerSettings;
import io.millrace.broker.settings.Values;
import java.util.Map;
import java.util.TreeMap;

/** What a topic gets that does not say: the broker's settings, with what was set while running over them. */
public final class TopicDefaults {
    private final int nodeId;
    private final Map<String, String> atStart;
    private volatile Merged newest;

    /** @param atStart the broker's settings at its start */
    public TopicDefaults(int nodeId, Map<String, String> atStart) {
        this.nodeId = nodeId;
        this.atStart = Map.copyOf(atStart);
    }

    public int nodeId() {
        return nodeId;
    }

    public Map<String, String> atStart() {
        return atStart;
    }

    /** The broker's settings of this moment. They are asked for with each request, and change hardly ever. */
    @SuppressWarnings("ReferenceEquality") // images share the settings until these change
    public Values of(ClusterImage image) {
        Merged known = newest;
        if (known == null || known.runningSettings != image.settings()) {
            known = new Merged(image.settings(), merged(image));
            newest = known;
        }
        return known.values;
    }

    private Values merged(ClusterImage image) {
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

    private record Merged(Map<String, Map<String, String>> runningSettings, Values values) {}
}
