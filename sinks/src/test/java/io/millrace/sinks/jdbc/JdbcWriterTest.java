package io.millrace.sinks.jdbc;

import static io.millrace.sinks.jdbc.Bench.batch;
import static io.millrace.sinks.jdbc.Bench.inserting;
import static io.millrace.sinks.jdbc.Bench.numbers;
import static io.millrace.sinks.jdbc.Bench.query;
import static io.millrace.sinks.jdbc.Bench.record;
import static io.millrace.sinks.jdbc.Row.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.sink.SinkBatch;
import io.millrace.streams.sink.SinkFencedException;
import io.millrace.streams.sink.SinkIdentity;
import io.millrace.streams.sink.SinkMisfitException;
import io.millrace.streams.sink.SinkRecord;
import io.millrace.streams.sink.SinkUnavailableException;
import io.millrace.streams.sink.SinkWriter;
import io.millrace.streams.sink.TooManyDeadLettersException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JdbcWriterTest {
    static List<JdbcDatabase> databases() {
        return Bench.both();
    }

    @ParameterizedTest
    @MethodSource("databases")
    void rows_and_offset_move_together(JdbcDatabase database) throws SQLException {
        try (SinkWriter<Integer, String> writer = inserting(database)) {
            assertThat(writer.takeOver(List.of(0))).isEqualTo(Map.of(0, SinkWriter.NO_OFFSET));

            writer.write(batch(0, "a", "b"));
            writer.write(batch(2, "c"));

            assertThat(numbers(database)).containsExactly("0 a", "1 b", "2 c");
            assertThat(writer.takeOver(List.of(0))).isEqualTo(Map.of(0, 3L));
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void batch_without_a_row_still_moves_the_offset(JdbcDatabase database) throws SQLException {
        try (SinkWriter<Integer, String> writer = inserting(database)) {
            writer.takeOver(List.of(0));

            writer.write(batch(0, "skip", "skip"));
            writer.write(new SinkBatch<>(List.of(), Map.of(0, new SinkBatch.Range(2, 5)), 0));

            assertThat(numbers(database)).isEmpty();
            assertThat(writer.takeOver(List.of(0))).isEqualTo(Map.of(0, 5L));
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void insert_adds_a_row_for_each_record_whatever_the_others_are(JdbcDatabase database) throws SQLException {
        SinkWriter<Integer, String> writer = database.<Integer, String>insert(
                        "numbers", List.of("n", "name"), (key, value) -> row(1, value))
                .open(Bench.IDENTITY);
        try (writer) {
            writer.takeOver(List.of(0));

            int dead = writer.write(batch(0, "a", "b", "much too long", "a"));

            assertThat(dead).isEqualTo(1);
            assertThat(numbers(database)).containsExactly("1 a", "1 a", "1 b");
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void repeated_batch_writes_nothing_twice(JdbcDatabase database) throws SQLException {
        try (SinkWriter<Integer, String> writer = inserting(database)) {
            writer.takeOver(List.of(0));
            writer.write(batch(0, "a"));

            writer.write(batch(0, "a"));

            assertThat(numbers(database)).containsExactly("0 a");
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void zombie_changes_nothing_after_a_take_over(JdbcDatabase database) throws SQLException {
        try (SinkWriter<Integer, String> zombie = inserting(database);
                SinkWriter<Integer, String> successor = inserting(database)) {
            zombie.takeOver(List.of(0));
            zombie.write(batch(0, "a"));

            assertThat(successor.takeOver(List.of(0))).isEqualTo(Map.of(0, 1L));

            assertThatThrownBy(() -> zombie.write(batch(1, "zombie"))).isInstanceOf(SinkFencedException.class);
            successor.write(batch(1, "b"));
            assertThat(numbers(database)).containsExactly("0 a", "1 b");
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void one_bad_row_becomes_a_dead_letter_and_the_others_are_written(JdbcDatabase database) throws SQLException {
        try (SinkWriter<Integer, String> writer = inserting(database)) {
            writer.takeOver(List.of(0));

            int dead = writer.write(batch(0, "a", "b", "c", "d", "much too long", "f", "g", "h"));

            assertThat(dead).isEqualTo(1);
            assertThat(numbers(database)).containsExactly("0 a", "1 b", "2 c", "3 d", "5 f", "6 g", "7 h");
            assertThat(query(
                            database,
                            "SELECT topic, partition_no, record_offset, sql_state FROM millrace_dead_letters"))
                    .containsExactly("topic 0 4 22001");
            assertThat(writer.takeOver(List.of(0))).isEqualTo(Map.of(0, 8L));
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void records_that_never_become_a_row_are_dead_letters_too(JdbcDatabase database) throws SQLException {
        SinkRecord<Integer, String> unreadable = new SinkRecord<>(
                new ConsumerRecord<>("topic", 0, 1, new byte[] {1}, new byte[] {2}),
                null,
                null,
                new IllegalStateException("no number"));
        try (SinkWriter<Integer, String> writer = inserting(database)) {
            writer.takeOver(List.of(0));

            int dead = writer.write(new SinkBatch<>(
                    List.of(record(0, 0, "throw"), unreadable, record(2, 2, "c")),
                    Map.of(0, new SinkBatch.Range(0, 3)),
                    2));

            assertThat(dead).isEqualTo(2);
            assertThat(numbers(database)).containsExactly("2 c");
            assertThat(query(
                            database,
                            "SELECT record_offset, error_message FROM millrace_dead_letters ORDER BY record_offset"))
                    .containsExactly("0 asked to", "1 no number");
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void more_dead_letters_than_allowed_write_nothing(JdbcDatabase database) throws SQLException {
        try (SinkWriter<Integer, String> writer = inserting(database)) {
            writer.takeOver(List.of(0));
            SinkBatch<Integer, String> bad = new SinkBatch<>(
                    List.of(record(0, 0, "a"), record(1, 1, "throw"), record(2, 2, "much too long")),
                    Map.of(0, new SinkBatch.Range(0, 3)),
                    1);

            assertThatThrownBy(() -> writer.write(bad)).isInstanceOf(TooManyDeadLettersException.class);

            assertThat(numbers(database)).isEmpty();
            assertThat(writer.takeOver(List.of(0))).isEqualTo(Map.of(0, SinkWriter.NO_OFFSET));
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void upsert_keeps_the_latest_row_of_each_key_also_within_a_batch(JdbcDatabase database) throws SQLException {
        JdbcDatabase keyed = database.setup("CREATE TABLE IF NOT EXISTS latest (k INTEGER PRIMARY KEY, v VARCHAR(6))");
        SinkWriter<Integer, String> writer = keyed.<Integer, String>upsert(
                        "latest", List.of("k"), List.of("v"), (key, value) -> row(key, value))
                .open(Bench.IDENTITY);
        try (writer) {
            writer.takeOver(List.of(0));

            writer.write(batchOf(0, List.of(record(0, 7, "a"), record(1, 8, "b"), record(2, 7, "c"))));
            writer.write(batchOf(3, List.of(record(3, 8, "d"), record(4, 8, "much too long"))));

            assertThat(query(keyed, "SELECT k, v FROM latest ORDER BY k")).containsExactly("7 c", "8 d");
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void instants_are_written_as_points_in_time(JdbcDatabase database) throws SQLException {
        JdbcDatabase timed = database.setup("CREATE TABLE IF NOT EXISTS times (at TIMESTAMP(6) WITH TIME ZONE)");
        SinkWriter<Integer, String> writer = timed.<Integer, String>statement(
                        "INSERT INTO times (at) VALUES (?)", (key, value) -> row(Instant.parse(value)))
                .open(Bench.IDENTITY);
        try (writer) {
            writer.takeOver(List.of(0));

            writer.write(batch(0, "2001-01-01T00:47:00.123456Z"));

            assertThat(
                            query(
                                    timed,
                                    "SELECT COUNT(*) FROM times WHERE at = TIMESTAMP WITH TIME ZONE '2001-01-01 01:47:00.123456+01:00'"))
                    .containsExactly("1");
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void sinks_of_one_topic_keep_apart(JdbcDatabase database) {
        SinkIdentity other = new SinkIdentity("cluster", "job", "other", "topic", "topic-id");
        try (SinkWriter<Integer, String> writer = inserting(database);
                SinkWriter<Integer, String> second = database.<Integer, String>statement(
                                Bench.INSERT, (key, value) -> row(key, value))
                        .open(other)) {
            writer.takeOver(List.of(0));
            writer.write(batch(0, "a"));

            assertThat(second.takeOver(List.of(0))).isEqualTo(Map.of(0, SinkWriter.NO_OFFSET));
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void a_wrong_statement_is_told_and_not_waited_out(JdbcDatabase database) {
        SinkWriter<Integer, String> writer = database.<Integer, String>statement(
                        "INSERT INTO missing VALUES (?)", (key, value) -> row(key))
                .open(Bench.IDENTITY);
        try (writer) {
            writer.takeOver(List.of(0));

            assertThatThrownBy(() -> writer.write(batch(0, "a")))
                    .isInstanceOf(SinkMisfitException.class)
                    .hasMessageContaining("create what it names");
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void a_lock_that_somebody_holds_is_waited_for(JdbcDatabase database) throws SQLException {
        SqlTimeouts impatient = new SqlTimeouts(
                java.time.Duration.ofSeconds(5),
                java.time.Duration.ofMillis(200),
                java.time.Duration.ofSeconds(5),
                java.time.Duration.ofSeconds(5));
        try (SinkWriter<Integer, String> writer = inserting(database.timeouts(impatient));
                var blocker = database.open()) {
            writer.takeOver(List.of(0));
            blocker.setAutoCommit(false);
            try (var statement = blocker.createStatement()) {
                statement.execute("SELECT * FROM millrace_ledger FOR UPDATE");
            }

            assertThatThrownBy(() -> writer.write(batch(0, "a")))
                    .isInstanceOf(SinkUnavailableException.class)
                    .hasMessageContaining("waiting for lock");
            blocker.rollback();
            writer.write(batch(0, "a"));

            assertThat(numbers(database)).containsExactly("0 a");
        }
    }

    private static SinkBatch<Integer, String> batchOf(long from, List<SinkRecord<Integer, String>> records) {
        return new SinkBatch<>(records, Map.of(0, new SinkBatch.Range(from, from + records.size())), 100);
    }
}
