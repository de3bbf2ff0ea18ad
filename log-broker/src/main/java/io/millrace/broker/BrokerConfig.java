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

    /** The same with one setting changed. */
    public BrokerConfig with(String name, Object value) {
        Map<String, String> changed = new TreeMap<>(settings);
        changed.put(name, String.valueOf(value));
        return new BrokerConfig(data, changed);
    }
}
