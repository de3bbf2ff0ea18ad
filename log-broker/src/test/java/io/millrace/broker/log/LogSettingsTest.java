package io.millrace.broker.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LogSettingsTest {

    @Test
    void the_defaults_are_those_of_apache_kafka() {
        assertThat(LogSettings.DEFAULTS)
                .isEqualTo(new LogSettings(
                        new LogSettings.Segments(1_073_741_824, 604_800_000, 4096, 10_485_760),
                        new LogSettings.Retention(true, -1, 604_800_000, 60_000),
                        new LogSettings.Compaction(false, 0.5, 86_400_000, 0, Long.MAX_VALUE),
                        new LogSettings.Timestamps(LogSettings.TimestampType.CREATE_TIME, Long.MAX_VALUE, 3_600_000),
                        1_048_588,
                        86_400_000,
                        100_000));
    }

    @Test
    void nonsense_is_refused_with_what_was_found() {
        assertThatThrownBy(() -> new LogSettings.Segments(10, 1, 1, 1000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("found 10");
        assertThatThrownBy(() -> new LogSettings.Compaction(true, 1.5, 0, 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("found 1.5");
        assertThatThrownBy(() -> LogSettings.DEFAULTS.withProducers(1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("found 0");
    }
}
