package io.millrace.sinks.jdbc;

import static io.millrace.sinks.jdbc.Bench.batch;
import static io.millrace.sinks.jdbc.Bench.inserting;
import static io.millrace.sinks.jdbc.Bench.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.sink.SinkUnavailableException;
import io.millrace.streams.sink.SinkWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * A task freezes between writing its rows and moving its offset. The database ends the silent transaction, the successor
 * goes on, and what the frozen one still wants to commit is gone.
 */
class PausedTaskWritesAfterItsSuccessorStartedTest {
    private static final SqlTimeouts SHORT = new SqlTimeouts(
            Duration.ofSeconds(5), Duration.ofMillis(200), Duration.ofSeconds(5), Duration.ofSeconds(1));

    @Test
    void rows_of_the_paused_task_are_gone_and_those_of_its_successor_complete() throws SQLException {
        JdbcDatabase database = Bench.postgresql().timeouts(SHORT);
        FaultyConnections freezing = new FaultyConnections(database);
        AtomicReference<Map<Integer, Long>> takenOver = new AtomicReference<>();
        try (SinkWriter<Integer, String> paused = inserting(database.connections(freezing));
                SinkWriter<Integer, String> successor = inserting(database)) {
            paused.takeOver(List.of(0));
            paused.write(batch(0, "a"));
            freezing.beforePrepare(sql -> {
                if (sql.startsWith("UPDATE millrace_ledger SET next_offset")) {
                    takenOver.set(takeOver(successor));
                    successor.write(batch(1, "b", "c"));
                }
            });

            assertThatThrownBy(() -> paused.write(batch(1, "zombie", "zombie")))
                    .isInstanceOf(SinkUnavailableException.class);
            freezing.beforePrepare(sql -> {});
            assertThatThrownBy(() -> paused.write(batch(1, "zombie", "zombie")))
                    .isInstanceOf(io.millrace.streams.sink.SinkFencedException.class);
        }

        assertThat(takenOver.get()).isEqualTo(Map.of(0, 1L));
        assertThat(numbers(database)).containsExactly("0 a", "1 b", "2 c");
    }

    private static Map<Integer, Long> takeOver(SinkWriter<Integer, String> successor) {
        while (true) {
            try {
                return successor.takeOver(List.of(0));
            } catch (SinkUnavailableException e) {
                assertThat(e).hasMessageContaining("waiting for lock");
            }
        }
    }
}
