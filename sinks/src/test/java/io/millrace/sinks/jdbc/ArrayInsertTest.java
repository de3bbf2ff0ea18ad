package io.millrace.sinks.jdbc;

import static io.millrace.sinks.jdbc.Bench.query;
import static io.millrace.sinks.jdbc.Bench.record;
import static io.millrace.sinks.jdbc.Row.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.sink.SinkBatch;
import io.millrace.streams.sink.SinkRecord;
import io.millrace.streams.sink.SinkWriter;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ArrayInsertTest {
    private enum Colour {
        RED
    }

    private static final Object[] ALL_CLASSES = {
        (short) 1,
        2,
        3L,
        0.1f,
        1e-300,
        true,
        "quoted \" \\ ' {,} NULL",
        new byte[] {0, -1},
        new BigDecimal("12345678901234567890.10"),
        UUID.fromString("00000000-0000-0001-0000-000000000002"),
        LocalDate.of(2001, 2, 3),
        LocalTime.of(4, 5, 6, 789_000),
        LocalDateTime.of(2001, 2, 3, 4, 5, 0),
        Instant.parse("2001-02-03T04:05:06.123456Z"),
        Instant.parse("2001-02-03T04:05:06Z").atOffset(ZoneOffset.ofHours(-7)),
        Colour.RED
    };
    private static final List<String> TYPES = List.of(
            "smallint",
            "integer",
            "bigint",
            "real",
            "double precision",
            "boolean",
            "text",
            "bytea",
            "numeric",
            "uuid",
            "date",
            "time",
            "timestamp",
            "timestamptz",
            "timestamptz",
            "varchar(3)");

    @Test
    void every_class_is_written_as_if_it_were_bound_alone() throws SQLException {
        List<String> columns =
                IntStream.range(0, TYPES.size()).mapToObj(i -> "v" + i).toList();
        String definition = String.join(
                ", ",
                IntStream.range(0, TYPES.size())
                        .mapToObj(i -> "v%d %s".formatted(i, TYPES.get(i)))
                        .toList());
        JdbcDatabase database =
                Bench.postgresql().setup("CREATE TABLE IF NOT EXISTS t (k integer PRIMARY KEY, " + definition + ")");

        upsert(database, columns, n -> keyed(n, ALL_CLASSES), 1); // a row that stands alone is bound
        upsert(database, columns, n -> keyed(n, ALL_CLASSES), 2, 3);
        upsert(database, columns, n -> keyed(n, n == 4 ? new Object[TYPES.size()] : ALL_CLASSES), 4, 5);

        String values = "SELECT %s FROM t WHERE k = ".formatted(String.join(", ", columns));
        assertThat(query(database, values + 2)).isEqualTo(query(database, values + 1));
        assertThat(query(database, values + 5)).isEqualTo(query(database, values + 1));
        assertThat(query(database, values + 4).get(0).split(" ")).containsOnly("null");
    }

    @Test
    void a_column_without_any_value_takes_the_type_of_the_table() throws SQLException {
        JdbcDatabase database =
                Bench.postgresql().setup("CREATE TABLE IF NOT EXISTS t (k integer PRIMARY KEY, v date)");

        upsert(database, List.of("v"), n -> row(n, null), 1, 2);

        assertThat(query(database, "SELECT k, v FROM t ORDER BY k")).containsExactly("1 null", "2 null");
    }

    @Test
    void keys_that_only_the_database_takes_for_equal_keep_their_order() throws SQLException {
        JdbcDatabase database =
                Bench.postgresql().setup("CREATE TABLE IF NOT EXISTS t (k numeric PRIMARY KEY, v integer)");

        upsert(database, List.of("v"), n -> row(new BigDecimal(n % 2 == 0 ? "1.0" : "1.00"), n), 1, 2, 3, 4, 5);

        assertThat(query(database, "SELECT v FROM t")).containsExactly("5");
    }

    @Test
    void keys_of_bytes_are_compared_by_what_they_hold() throws SQLException {
        JdbcDatabase database =
                Bench.postgresql().setup("CREATE TABLE IF NOT EXISTS t (k bytea PRIMARY KEY, v integer)");

        upsert(database, List.of("v"), n -> row(new byte[] {7}, n), 1, 2, 3);

        assertThat(query(database, "SELECT v FROM t")).containsExactly("3");
    }

    @Test
    void one_bad_row_of_many_becomes_a_dead_letter() throws SQLException {
        JdbcDatabase database =
                Bench.postgresql().setup("CREATE TABLE IF NOT EXISTS t (k integer PRIMARY KEY, v varchar(3))");

        upsert(database, List.of("v"), n -> row(n, n == 6 ? "much too long" : "ok"), 1, 2, 3, 4, 5, 6, 7, 8, 9);

        assertThat(query(database, "SELECT count(*) FROM t WHERE v = 'ok'")).containsExactly("8");
        assertThat(query(database, "SELECT sql_state FROM millrace_dead_letters"))
                .containsExactly("22001");
    }

    @Test
    void a_type_that_takes_single_values_only_gets_them() throws SQLException {
        JdbcDatabase database = Bench.postgresql();
        JdbcDatabase lenient = JdbcDatabase.at(database.url() + "&stringtype=unspecified")
                .setup("CREATE TABLE IF NOT EXISTS t (k integer PRIMARY KEY, v jsonb)");

        upsert(lenient, List.of("v"), n -> row(n, "{\"n\": %d}".formatted(n)), 1, 2);

        assertThat(query(lenient, "SELECT v FROM t ORDER BY k")).containsExactly("{\"n\": 1}", "{\"n\": 2}");
    }

    @Test
    void rows_that_are_not_alike_are_left_to_the_batch() throws SQLException {
        JdbcDatabase database =
                Bench.postgresql().setup("CREATE TABLE IF NOT EXISTS t (k bigint PRIMARY KEY, v integer)");
        upsert(database, List.of("v"), n -> n == 1 ? row(1, 1) : row(2L, 2), 1, 2);
        ArrayInsert arrays = new ArrayInsert("t", List.of("k", "v"), "ON CONFLICT DO NOTHING");

        try (Connection connection = database.open()) {
            assertThat(arrays.execute(connection, List.of(row(1, 1), row(2L, 2))))
                    .as("two classes in a column")
                    .isFalse();
            assertThat(arrays.execute(connection, List.of(row(3L, 1), row(4L, Map.of()))))
                    .as("a class that is no element")
                    .isFalse();
            assertThat(arrays.execute(connection, List.of(row(5L, 1), row(6L))))
                    .as("a value is missing")
                    .isFalse();
            assertThat(arrays.execute(connection, List.of(row(7L, 1), row(8L, 1))))
                    .isTrue();
        }

        assertThat(query(database, "SELECT k FROM t ORDER BY k")).containsExactly("1", "2", "7", "8");
    }

    private static Row keyed(int key, Object[] values) {
        List<Object> all = new ArrayList<>(List.of(key));
        all.addAll(java.util.Arrays.asList(values));
        return row(all.toArray());
    }

    /** Writes a row for each of these numbers, in one batch. */
    private static void upsert(JdbcDatabase database, List<String> columns, IntFunction<Row> rows, int... numbers) {
        SinkWriter<Integer, String> writer = database.<Integer, String>upsert(
                        "t", List.of("k"), columns, (key, value) -> rows.apply(key))
                .open(Bench.IDENTITY);
        try (writer) {
            long from = Math.max(0, writer.takeOver(List.of(0)).get(0));
            List<SinkRecord<Integer, String>> records = new ArrayList<>();
            for (int number : numbers) {
                records.add(record(from + records.size(), number, ""));
            }
            SinkBatch.Range range = new SinkBatch.Range(from, from + records.size());
            writer.write(new SinkBatch<>(records, Map.of(0, range), 100));
        }
    }
}
