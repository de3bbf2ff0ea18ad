package io.millrace.broker;

import io.millrace.broker.settings.BrokerSettings;
import io.millrace.broker.settings.Values;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a broker is started.
 *
 * @param data the folder that holds everything it knows
 * @param settings what is set, by Kafka's names where the thing is the same; the rest has defaults
 */
public record BrokerConfig(Path data, Map<String, String> settings) {

    /** @throws io.millrace.broker.settings.InvalidSetting for a setting that does not exist or cannot be */
    public BrokerConfig {
        settings = Map.copyOf(settings);
        BrokerSettings.TABLE.check(settings);
    }

    public Values values() {
        return Values.ofBroker(settings);
    }

    /** Whether this node is a cluster of its own, rather than one of those that agree on the metadata. */
    boolean isAlone() {
        return values().text(BrokerSettings.CLUSTER_VOTERS).isEmpty();
    }

    /** @throws io.millrace.broker.settings.InvalidSetting when they are not such as they can be */
    Voters voters() {
        return Voters.parse(values().text(BrokerSettings.CLUSTER_VOTERS));
    }

    /** The same with one setting changed. */
    public BrokerConfig with(String name, Object value) {
        Map<String, String> changed = new TreeMap<>(settings);
        changed.put(name, String.valueOf(value));
        return new BrokerConfig(data, changed);
    }
}
