package io.millrace.broker.metadata;

import java.util.Map;

/** A change of settings: computes what is set from what was set. */
@FunctionalInterface
public interface SettingsChange {

    /** @throws io.millrace.broker.settings.InvalidSetting when the change makes no sense for what is set */
    Map<String, String> applyTo(Map<String, String> current);
}
