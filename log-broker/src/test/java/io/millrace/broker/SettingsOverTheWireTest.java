package io.millrace.broker;

import static io.millrace.broker.TopicSteps.APPEND;
import static io.millrace.broker.TopicSteps.BROKER;
import static io.millrace.broker.TopicSteps.DELETE;
import static io.millrace.broker.TopicSteps.SET;
import static io.millrace.broker.TopicSteps.SUBTRACT;
import static io.millrace.broker.TopicSteps.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.settings.BrokerSettings;
import io.millrace.broker.settings.TopicSettings;
import java.util.Map;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeConfigsResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Settings of topics and brokers are read and changed over the wire. */
class SettingsOverTheWireTest {
    private final SimBroker broker = new SimBroker(5, Map.of("log.retention.ms", "1000000"));
    private TopicSteps admin = new TopicSteps(broker.client());

    @BeforeEach
    void createTopic() {
        admin.create("t", 1, Map.of(TopicSettings.SEGMENT_BYTES, "2000"));
    }

    private String value(String setting) {
        return admin.setting(TOPIC, "t", setting).value();
    }

    private static ConfigSource source(DescribeConfigsResourceResult setting) {
        return ConfigSource.valueOf(DescribeConfigsResponse.ConfigSource.forId(setting.configSource())
                .source()
                .name());
    }

    @Test
    void a_setting_that_does_not_exist_is_refused_with_those_that_do() {
        CreatableTopicResult refused = admin.create("other", 1, Map.of("retention.milliseconds", "5"));

        assertThat(Errors.forCode(refused.errorCode())).isEqualTo(Errors.INVALID_CONFIG);
        assertThat(refused.errorMessage()).contains("retention.milliseconds").contains(TopicSettings.RETENTION_MS);
    }

    @Test
    void an_impossible_value_is_refused_with_the_allowed_range() {
        CreatableTopicResult refused = admin.create("other", 1, Map.of(TopicSettings.SEGMENT_BYTES, "10"));
        AlterConfigsResourceResponse changed = admin.alter(TOPIC, "t", SET, TopicSettings.CLEANUP_POLICY, "shred");

        assertThat(Errors.forCode(refused.errorCode())).isEqualTo(Errors.INVALID_CONFIG);
        assertThat(refused.errorMessage())
                .contains("segment.bytes")
                .contains("'10'")
                .contains("from 1024 to");
        assertThat(Errors.forCode(changed.errorCode())).isEqualTo(Errors.INVALID_CONFIG);
        assertThat(changed.errorMessage()).contains("shred").contains("delete, compact");
    }

    @Test
    void settings_are_set_appended_subtracted_and_deleted_one_by_one() {
        admin.alter(TOPIC, "t", SET, TopicSettings.RETENTION_MS, "5000");
        admin.alter(TOPIC, "t", APPEND, TopicSettings.CLEANUP_POLICY, "compact");
        String both = value(TopicSettings.CLEANUP_POLICY);
        admin.alter(TOPIC, "t", SUBTRACT, TopicSettings.CLEANUP_POLICY, "delete");
        String one = value(TopicSettings.CLEANUP_POLICY);
        String set = value(TopicSettings.RETENTION_MS);
        admin.alter(TOPIC, "t", DELETE, TopicSettings.RETENTION_MS, null);

        assertThat(both).isEqualTo("delete,compact");
        assertThat(one).isEqualTo("compact");
        assertThat(set).isEqualTo("5000");
        assertThat(value(TopicSettings.RETENTION_MS)).isEqualTo("1000000");
    }

    @Test
    void a_change_without_a_value_is_refused_and_the_broker_goes_on() {
        for (byte operation : new byte[] {SET, APPEND, SUBTRACT}) {
            AlterConfigsResourceResponse refused =
                    admin.alter(TOPIC, "t", operation, TopicSettings.CLEANUP_POLICY, null);
            assertThat(Errors.forCode(refused.errorCode())).isIn(Errors.INVALID_CONFIG, Errors.INVALID_REQUEST);
        }

        assertThat(value(TopicSettings.CLEANUP_POLICY)).isEqualTo("delete");
        assertThat(Errors.forCode(admin.create("later", 1, Map.of()).errorCode()))
                .isEqualTo(Errors.NONE);
    }

    @Test
    void only_lists_can_be_appended_to() {
        AlterConfigsResourceResponse refused = admin.alter(TOPIC, "t", APPEND, TopicSettings.RETENTION_MS, "5");

        assertThat(Errors.forCode(refused.errorCode())).isEqualTo(Errors.INVALID_CONFIG);
    }

    @Test
    void replacing_all_settings_resets_those_that_are_not_named() {
        Errors replaced = admin.replace("t", Map.of(TopicSettings.RETENTION_MS, "7000"));

        assertThat(replaced).isEqualTo(Errors.NONE);
        assertThat(value(TopicSettings.RETENTION_MS)).isEqualTo("7000");
        assertThat(value(TopicSettings.SEGMENT_BYTES)).isEqualTo(String.valueOf(1 << 30));
    }

    @Test
    void a_description_says_where_a_value_comes_from() {
        assertThat(source(admin.setting(TOPIC, "t", TopicSettings.SEGMENT_BYTES)))
                .isEqualTo(ConfigSource.DYNAMIC_TOPIC_CONFIG);
        assertThat(source(admin.setting(TOPIC, "t", TopicSettings.RETENTION_MS)))
                .isEqualTo(ConfigSource.STATIC_BROKER_CONFIG);
        assertThat(source(admin.setting(TOPIC, "t", TopicSettings.SEGMENT_MS))).isEqualTo(ConfigSource.DEFAULT_CONFIG);
    }

    @Test
    void settings_survive_a_restart() {
        admin.alter(TOPIC, "t", SET, TopicSettings.RETENTION_MS, "5000");
        admin.alter(BROKER, "1", SET, BrokerSettings.NUM_PARTITIONS, "4");

        broker.killAndRestart();
        admin = new TopicSteps(broker.client());

        assertThat(value(TopicSettings.RETENTION_MS)).isEqualTo("5000");
        assertThat(admin.create("new", -1, Map.of()).numPartitions()).isEqualTo(4);
    }

    @Test
    void throttled_replicas_are_set_and_appended_and_refused_when_they_are_none() {
        admin.alter(TOPIC, "t", SET, TopicSettings.LEADER_THROTTLED_REPLICAS, "0:1");
        admin.alter(TOPIC, "t", APPEND, TopicSettings.LEADER_THROTTLED_REPLICAS, "0:2");
        AlterConfigsResourceResponse refused =
                admin.alter(TOPIC, "t", SET, TopicSettings.LEADER_THROTTLED_REPLICAS, "0-1");

        assertThat(value(TopicSettings.LEADER_THROTTLED_REPLICAS)).isEqualTo("0:1,0:2");
        assertThat(value(TopicSettings.FOLLOWER_THROTTLED_REPLICAS)).isEmpty();
        assertThat(Errors.forCode(refused.errorCode())).isEqualTo(Errors.INVALID_CONFIG);
        assertThat(refused.errorMessage()).contains("0-1").contains("PARTITION:BROKER");
    }

    @Test
    void the_rate_of_a_throttle_is_set_for_a_running_broker_and_removed() {
        String before =
                admin.setting(BROKER, "1", BrokerSettings.LEADER_THROTTLED_RATE).value();
        admin.alter(BROKER, "1", SET, BrokerSettings.LEADER_THROTTLED_RATE, "1000");
        DescribeConfigsResourceResult set = admin.setting(BROKER, "1", BrokerSettings.LEADER_THROTTLED_RATE);
        AlterConfigsResourceResponse refused =
                admin.alter(BROKER, "1", SET, BrokerSettings.LEADER_THROTTLED_RATE, "-5");
        admin.alter(BROKER, "1", DELETE, BrokerSettings.LEADER_THROTTLED_RATE, null);

        assertThat(before).isEqualTo(String.valueOf(Long.MAX_VALUE));
        assertThat(set.value()).isEqualTo("1000");
        assertThat(source(set)).isEqualTo(ConfigSource.DYNAMIC_BROKER_CONFIG);
        assertThat(Errors.forCode(refused.errorCode())).isEqualTo(Errors.INVALID_CONFIG);
        assertThat(refused.errorMessage()).contains("-5").contains("from 0 to");
        assertThat(source(admin.setting(BROKER, "1", BrokerSettings.LEADER_THROTTLED_RATE)))
                .isEqualTo(ConfigSource.DEFAULT_CONFIG);
    }

    @Test
    void a_setting_that_needs_a_restart_is_not_changed_in_a_running_broker() {
        AlterConfigsResourceResponse refused = admin.alter(BROKER, "1", SET, BrokerSettings.IO_THREADS, "9");

        assertThat(Errors.forCode(refused.errorCode())).isNotEqualTo(Errors.NONE);
        assertThat(refused.errorMessage()).contains(BrokerSettings.IO_THREADS);
        assertThat(admin.setting(BROKER, "1", BrokerSettings.IO_THREADS).readOnly())
                .isTrue();
    }
}
