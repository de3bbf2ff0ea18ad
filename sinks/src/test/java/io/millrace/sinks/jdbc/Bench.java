package io.millrace.sinks.jdbc;

import static io.millrace.sinks.jdbc.Row.row;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.streams.sink.SinkBatch;
import io.millrace.streams.sink.SinkIdentity;
import io.millrace.streams.sink.SinkRecord;
import io.millrace.streams.sink.SinkWriter;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The words of the sink tests: a fresh database of either kind, batches of numbers, and what the tables hold. */
final class Bench {
    static final SinkIdentity IDENTITY = new SinkIdentity("cluster", "job", "sink", "topic", "topic-id");
    static final String INSERT = "INSERT INTO numbers (n, name) VALUES (?, ?)";

    private static final String TABLE = "CREATE TABLE IF NOT EXISTS numbers (n INTEGER NOT NULL, name VARCHAR(6))";
    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static EmbeddedPostgres postgres;

    private Bench() {}

    static JdbcDatabase h2() {
        return JdbcDatabase.at("jdbc:h2:mem:test%d;DB_CLOSE_DELAY=-1".formatted(DATABASES.incrementAndGet()))
                .setup(TABLE);
    }

    static synchronized JdbcDatabase postgresql() {
        String name = "test" + DATABASES.incrementAndGet();
        try {
            if (postgres == null) {
                postgres = EmbeddedPostgres.builder().start();
            }
            try (Connection connection = postgres.getPostgresDatabase().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE DATABASE " + name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return JdbcDatabase.at(postgres.getJdbcUrl("postgres", name)).setup(TABLE);
    }

    static List<JdbcDatabase> both() {
        return List.of(h2(), postgresql());
    }

    /** One row for each record; "skip" makes none, "throw" fails in the mapper. */
    static SinkWriter<Integer, String> inserting(JdbcDatabase database) {
        RowMapper<Integer, String> mapper = (key, value) -> {
            if (value.equals("throw")) {
                throw new IllegalArgumentException("asked to");
            }
            return value.equals("skip") ? Row.NONE : row(key, value);
        };
        return database.<Integer, String>statement(INSERT, mapper).open(IDENTITY);
    }

    /** Partition 0, from an offset on; keys are offsets. */
    static SinkBatch<Integer, String> batch(long from, String... values) {
        List<SinkRecord<Integer, String>> records = new ArrayList<>();
        long offset = from;
        for (String value : values) {
            records.add(record(offset, (int) offset, value));
            offset++;
        }
        return new SinkBatch<>(records, Map.of(0, new SinkBatch.Range(from, offset)), 100);
    }

    static SinkRecord<Integer, String> record(long offset, Integer key, String value) {
        byte[] raw = value.getBytes(UTF_8);
        return new SinkRecord<>(new ConsumerRecord<>("topic", 0, offset, null, raw), key, value, null);
    }

    static List<String> numbers(JdbcDatabase database) throws SQLException {
        return query(database, "SELECT n, name FROM numbers ORDER BY n, name");
    }

    static List<String> query(JdbcDatabase database, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = database.open();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<String> values = new ArrayList<>();
                for (int column = 1; column <= columns; column++) {
                    values.add(result.getString(column));
                }
                rows.add(String.join(" ", values));
            }
        }
        return rows;
    }
}
