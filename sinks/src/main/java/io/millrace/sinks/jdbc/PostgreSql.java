package io.millrace.sinks.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

final class PostgreSql implements Dialect {
    @Override
    public Properties connectionProperties(SqlTimeouts timeouts) {
        Properties properties = new Properties();
        properties.setProperty(
                "connectTimeout", Long.toString(timeouts.connect().toSeconds() + 1));
        properties.setProperty("loginTimeout", Long.toString(timeouts.connect().toSeconds() + 1));
        properties.setProperty("socketTimeout", Long.toString(timeouts.socket().toSeconds() + 1));
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("ApplicationName", "millrace");
        return properties;
    }

    @Override
    public void connected(Connection connection, SqlTimeouts timeouts) {
        // everything is said for each transaction
    }

    @Override
    public void begin(Connection connection, SqlTimeouts timeouts) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "SET LOCAL lock_timeout = %d; SET LOCAL statement_timeout = %d; SET LOCAL idle_in_transaction_session_timeout = %d"
                            .formatted(
                                    timeouts.lock().toMillis(),
                                    timeouts.statement().toMillis(),
                                    timeouts.idle().toMillis()));
        }
    }

    @Override
    public String binaryType() {
        return "BYTEA";
    }

    @Override
    public String upsert(String table, List<String> keyColumns, List<String> valueColumns) {
        return insert(table, all(keyColumns, valueColumns)) + " " + onConflict(keyColumns, valueColumns);
    }

    @Override
    public Optional<ArrayInsert> arrayInsert(String table, List<String> columns) {
        return Optional.of(new ArrayInsert(table, columns));
    }

    @Override
    public Optional<ArrayInsert> arrayUpsert(String table, List<String> keyColumns, List<String> valueColumns) {
        return Optional.of(new ArrayInsert(table, all(keyColumns, valueColumns), onConflict(keyColumns, valueColumns)));
    }

    private static List<String> all(List<String> keyColumns, List<String> valueColumns) {
        return Stream.concat(keyColumns.stream(), valueColumns.stream()).toList();
    }

    private static String onConflict(List<String> keyColumns, List<String> valueColumns) {
        String action = valueColumns.isEmpty()
                ? "NOTHING"
                : "UPDATE SET "
                        + String.join(
                                ", ",
                                valueColumns.stream()
                                        .map(column -> column + " = EXCLUDED." + column)
                                        .toList());
        return "ON CONFLICT (%s) DO %s".formatted(String.join(", ", keyColumns), action);
    }
}
