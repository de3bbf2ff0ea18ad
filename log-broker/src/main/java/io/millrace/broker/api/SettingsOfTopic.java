package io.millrace.broker.api;

import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.settings.Setting;
import io.millrace.broker.settings.TopicSettings;
import io.millrace.broker.settings.Values;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicConfigs;

/** The settings of a topic as the answer to its creation tells them. */
final class SettingsOfTopic {
    private SettingsOfTopic() {}

    static List<CreatableTopicConfigs> created(TopicImage topic, Values broker) {
        Values values = Values.ofTopic(topic.settings(), broker);
        List<CreatableTopicConfigs> configs = new ArrayList<>();
        for (Setting setting : TopicSettings.TABLE.all()) {
            boolean own = values.isSet(setting.name());
            boolean brokers = setting.fallback() != null && broker.isSet(setting.fallback());
            configs.add(new CreatableTopicConfigs()
                    .setName(setting.name())
                    .setValue(values.text(setting.name()))
                    .setConfigSource((own ? Source.TOPIC : brokers ? Source.STATIC_BROKER : Source.DEFAULT).code()));
        }
        return configs;
    }
}
