package io.millrace.sinks.jdbc;

import static io.millrace.sinks.jdbc.Bench.batch;
import static io.millrace.sinks.jdbc.Bench.inserting;
import static io.millrace.sinks.jdbc.Bench.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.sink.SinkBatch;
import io.millrace.streams.sink.SinkUnavailableException;
import io.millrace.streams.sink.SinkWriter;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The answer to a COMMIT is lost: repeated blindly it would be written twice, given up it might be lost. */
class ConnectionBreaksDuringCommitTest {
    private static final int BATCHES = 60;

    private int commits;
    private int broken;

    static List<JdbcDatabase> databases() {
        return Bench.both();
    }

    @ParameterizedTest
    @MethodSource("databases")
    void every_row_is_there_once_though_every_third_commit_seems_to_fail(JdbcDatabase database) throws SQLException {
        FaultyConnections faulty = new FaultyConnections(database);
        try (SinkWriter<Integer, String> writer = inserting(database.connections(faulty))) {
            writer.takeOver(List.of(0));
            faulty.afterCommit(() -> {
                if (++commits % 3 == 0) {
                    broken++;
                    throw new SQLException("connection reset", "08006");
                }
            });

            for (int number = 0; number < BATCHES; number++) {
                writeUntilDone(writer, batch(2L * number, "a", "b"));
            }
        }

        assertThat(broken).isGreaterThanOrEqualTo(BATCHES / 4);
        assertThat(numbers(database)).hasSize(2 * BATCHES).doesNotHaveDuplicates();
    }

    /** As the runtime does it: the same batch again, until the writer says that it is written. */
    private static void writeUntilDone(SinkWriter<Integer, String> writer, SinkBatch<Integer, String> batch) {
        while (true) {
            try {
                writer.write(batch);
                return;
            } catch (SinkUnavailableException e) {
                assertThat(e).hasMessageContaining("08006");
            }
        }
    }
}
