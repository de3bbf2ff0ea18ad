package io.millrace.broker.settings;

import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/** What is set, with the defaults behind it. */
public final class Values {
    private final SettingTable table;
    private final Map<String, String> set;
    private final UnaryOperator<String> fallback;

    private Values(SettingTable table, Map<String, String> set, UnaryOperator<String> fallback) {
        this.table = table;
        this.set = Map.copyOf(set);
        this.fallback = fallback;
    }

    /** A broker's values: what is set, else the default. */
    public static Values ofBroker(Map<String, String> set) {
        return new Values(BrokerSettings.TABLE, set, name -> null);
    }

    /** A topic's values: what is set, else the broker's, else the default. */
    public static Values ofTopic(Map<String, String> set, Values broker) {
        return new Values(TopicSettings.TABLE, set, broker::text);
    }

    public boolean isSet(String name) {
        return set.containsKey(name);
    }

    public String text(String name) {
        String value = set.get(name);
        if (value != null) {
            return value.trim();
        }
        Setting setting = table.named(name);
        String inherited = setting.fallback() == null ? null : fallback.apply(setting.fallback());
        return inherited == null ? setting.defaultValue() : inherited;
    }

    public String word(String name) {
        return text(name).toLowerCase(Locale.ROOT);
    }

    public int number(String name) {
        return Integer.parseInt(text(name));
    }

    public long large(String name) {
        return Long.parseLong(text(name));
    }

    public double share(String name) {
        return Double.parseDouble(text(name));
    }

    public boolean flag(String name) {
        return Boolean.parseBoolean(text(name));
    }
}
