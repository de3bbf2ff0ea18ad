package io.millrace.sinks.jdbc;

import io.millrace.streams.sink.Sink;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * A SQL database as a job's destination. A value: connections are opened by the workers that write.
 *
 * @param setup statements that run whenever a worker takes partitions over, such as {@code CREATE TABLE IF NOT EXISTS}
 */
public record JdbcDatabase(String url, Connections connections, SqlTimeouts timeouts, List<String> setup) {
    public JdbcDatabase {
        setup = List.copyOf(setup);
    }

    public static JdbcDatabase at(String url) {
        return at(url, new Properties());
    }

    public static JdbcDatabase at(String url, String user, String password) {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        return at(url, properties);
    }

    /** With settings of the driver, which go before the defaults. */
    public static JdbcDatabase at(String url, Properties properties) {
        return new JdbcDatabase(
                url,
                defaults -> {
                    Properties merged = new Properties();
                    merged.putAll(defaults);
                    merged.putAll(properties);
                    return DriverManager.getConnection(url, merged);
                },
                SqlTimeouts.DEFAULT,
                List.of());
    }

    /** Opens connections another way; the URL then only says which kind of database it is. */
    public JdbcDatabase connections(Connections newConnections) {
        return new JdbcDatabase(url, newConnections, timeouts, setup);
    }

    /** A connection as the sinks have it, for other uses. */
    public Connection open() throws SQLException {
        return connections.open(Dialect.of(url).connectionProperties(timeouts));
    }

    public JdbcDatabase timeouts(SqlTimeouts newTimeouts) {
        return new JdbcDatabase(url, connections, newTimeouts, setup);
    }

    /** Adds a statement that prepares the database. It runs often, so it must be repeatable. */
    public JdbcDatabase setup(String sql) {
        List<String> more = new ArrayList<>(setup);
        more.add(sql);
        return new JdbcDatabase(url, connections, timeouts, more);
    }

    /** Adds a row for each record, in the order of the partition. */
    public <K, V> Sink<K, V> insert(String table, List<String> columns, RowMapper<K, V> mapper) {
        Dialect dialect = Dialect.of(url);
        return new JdbcSink<>(
                this,
                new RowStatement<>(dialect.insert(table, columns), dialect.arrayInsert(table, columns), 0, mapper));
    }

    /**
     * Runs this statement once for each record, in the order of the partition. For everything that {@link #insert} and
     * {@link #upsert} cannot say; they may be faster.
     */
    public <K, V> Sink<K, V> statement(String sql, RowMapper<K, V> mapper) {
        return new JdbcSink<>(this, new RowStatement<>(sql, Optional.empty(), 0, mapper));
    }

    /**
     * Keeps one row for each key: the latest. Rows give the key columns first, then the value columns. Of several
     * records with one key in a batch only the last is written.
     */
    public <K, V> Sink<K, V> upsert(
            String table, List<String> keyColumns, List<String> valueColumns, RowMapper<K, V> mapper) {
        if (keyColumns.isEmpty()) {
            throw new IllegalArgumentException("an upsert into %s needs at least one key column".formatted(table));
        }
        Dialect dialect = Dialect.of(url);
        return new JdbcSink<>(
                this,
                new RowStatement<>(
                        dialect.upsert(table, keyColumns, valueColumns),
                        dialect.arrayUpsert(table, keyColumns, valueColumns),
                        keyColumns.size(),
                        mapper));
    }

    @Override
    public String toString() {
        return Dialect.withoutSecrets(url);
    }
}
