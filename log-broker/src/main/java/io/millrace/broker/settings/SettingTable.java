package io.millrace.broker.settings;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The settings of one kind of thing, by name. */
public final class SettingTable {
    private final String what;
    private final Map<String, Setting> byName = new LinkedHashMap<>();

    SettingTable(String what, List<Setting> settings) {
        this.what = what;
        settings.forEach(setting -> byName.put(setting.name(), setting));
    }

    public Collection<Setting> all() {
        return Collections.unmodifiableCollection(byName.values());
    }

    public boolean has(String name) {
        return byName.containsKey(name);
    }

    /** @throws InvalidSetting when there is none of that name */
    public Setting named(String name) {
        Setting setting = byName.get(name);
        if (setting == null) {
            throw new InvalidSetting("there is no " + what + " setting '" + name + "'; allowed: "
                    + String.join(", ", byName.keySet().stream().sorted().toList()));
        }
        return setting;
    }

    /** @throws InvalidSetting for the first name or value that is not allowed */
    public void check(Map<String, String> values) {
        values.forEach((name, value) -> named(name).check(value));
    }
}
