package io.millrace.broker.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThrottledReplicasTest {
    private static final Setting SETTING = TopicSettings.TABLE.named(TopicSettings.LEADER_THROTTLED_REPLICAS);

    @Test
    void pairs_stand_for_a_partition_on_a_broker() {
        ThrottledReplicas some = ThrottledReplicas.parse("0:1, 0:2,17:1");

        assertThat(some.contains(0, 1)).isTrue();
        assertThat(some.contains(0, 2)).isTrue();
        assertThat(some.contains(17, 1)).isTrue();
        assertThat(some.contains(1, 0)).isFalse();
        assertThat(some.contains(17, 2)).isFalse();
    }

    @Test
    void a_star_stands_for_all() {
        assertThat(ThrottledReplicas.parse("*").contains(3, 4)).isTrue();
    }

    @Test
    void nothing_stands_for_none() {
        assertThat(ThrottledReplicas.parse("").contains(0, 0)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "0:1", "0:1,1:2", " 0:1 , 1:2 "})
    void what_can_be_read_is_allowed(String list) {
        SETTING.check(list);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0:", ":1", "0:1:2", "-1:1", "a:b", "0:1,", "*,0:1", "none", "0:9999999999"})
    void anything_else_is_refused_with_what_is_allowed(String list) {
        assertThatThrownBy(() -> SETTING.check(list))
                .isInstanceOf(InvalidSetting.class)
                .hasMessage(
                        "%s is '%s'; allowed: PARTITION:BROKER pairs with commas between them, * for all, or nothing",
                        TopicSettings.LEADER_THROTTLED_REPLICAS, list);
    }
}
