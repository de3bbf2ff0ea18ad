package io.millrace.broker.metadata;

import io.millrace.broker.metadata.ControllerCommand.SetBroker;
import io.millrace.broker.metadata.ControllerCommand.SetTopic;
import io.millrace.broker.metadata.MetadataEvent.SettingsChanged;
import io.millrace.broker.metadata.MetadataEvent.TopicChanged;
import io.millrace.broker.settings.BrokerSettings;
import io.millrace.broker.settings.InvalidSetting;
import io.millrace.broker.settings.TopicSettings;
import io.millrace.broker.wire.ErrorCode;
import java.util.Map;

/**
 * What is set for topics and brokers. Partitions follow in the same decision: who is eligible depends on {@code
 * min.insync.replicas}, and with a lower one a leader would at once commit records that eligible replicas lack.
 */
final class SettingChanges {

    private SettingChanges() {}

    static Outcome<TopicImage> set(Draft draft, SetTopic command) {
        TopicImage topic = draft.image().topic(command.topic());
        if (topic == null) {
            return Outcome.refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "there is no topic " + command.topic());
        }
        try {
            Map<String, String> settings = command.change().applyTo(topic.settings());
            TopicSettings.TABLE.check(settings);
            TopicImage changed = new TopicImage(topic.id(), topic.name(), topic.partitions(), settings);
            if (!command.validateOnly()) {
                draft.add(new TopicChanged(changed));
                draft.settleAll(changed);
            }
            return new Outcome.Done<>(changed);
        } catch (InvalidSetting e) {
            return Outcome.refused(ErrorCode.INVALID_CONFIG, e.getMessage());
        }
    }

    static Outcome<Boolean> set(Draft draft, SetBroker command) {
        try {
            Map<String, String> old = draft.image().settings().getOrDefault(command.node(), Map.of());
            Map<String, String> settings = command.change().applyTo(old);
            checkChangeable(settings);
            BrokerImage broker = command.node().isEmpty() ? null : broker(draft.image(), command.node());
            if (!command.validateOnly()) {
                draft.add(new SettingsChanged(command.node(), settings));
                draft.settleAll();
                drain(draft, broker, Boolean.parseBoolean(settings.get(BrokerSettings.DRAIN)));
            }
            return new Outcome.Done<>(true);
        } catch (InvalidSetting e) {
            return Outcome.refused(ErrorCode.INVALID_CONFIG, e.getMessage());
        }
    }

    private static BrokerImage broker(ClusterImage image, String node) {
        return image.brokers().values().stream()
                .filter(broker -> String.valueOf(broker.id()).equals(node))
                .findFirst()
                .orElseThrow(
                        () -> new InvalidSetting("there is no broker '" + node + "'; the brokers of this cluster are "
                                + image.brokers().keySet()));
    }

    private static void drain(Draft draft, BrokerImage broker, boolean on) {
        if (broker != null && broker.drained() != on) {
            Drains.drain(draft, broker, on);
        }
    }

    private static void checkChangeable(Map<String, String> settings) {
        BrokerSettings.TABLE.check(settings);
        for (String name : settings.keySet()) {
            if (!BrokerSettings.TABLE.named(name).whileRunning()) {
                throw new InvalidSetting(name + " cannot be changed while the broker runs; set it at the start");
            }
        }
    }
}
