package io.millrace.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.metadata.MetadataEvent.BrokerSeen;
import org.junit.jupiter.api.Test;

class SessionsTest {
    private static final long TIMEOUT_MS = 8_000;
    private static final long BEGAN_AT_MS = 1_000_000;

    private final Sessions sessions = new Sessions(TIMEOUT_MS, BEGAN_AT_MS);

    @Test
    void a_broker_that_is_heard_of_has_a_whole_session_from_then_on() {
        sessions.apply(new BrokerSeen(1, BEGAN_AT_MS + 100));

        assertThat(sessions.isOver(1, BEGAN_AT_MS + 100 + TIMEOUT_MS - 1)).isFalse();
        assertThat(sessions.isOver(1, BEGAN_AT_MS + 100 + TIMEOUT_MS)).isTrue();
    }

    @Test
    void to_a_new_controller_a_quarter_of_every_session_is_gone() {
        assertThat(sessions.isOver(1, BEGAN_AT_MS + 5_999)).isFalse();
        assertThat(sessions.isOver(1, BEGAN_AT_MS + 6_000)).isTrue();
    }
}
