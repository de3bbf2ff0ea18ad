package io.millrace.sinks.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** Where databases differ. Another database is another implementation, and a line in {@link #of}. */
interface Dialect {
    static Dialect of(String url) {
        if (url.startsWith("jdbc:postgresql:")) {
            return new PostgreSql();
        }
        if (url.startsWith("jdbc:h2:")) {
            return new H2();
        }
        throw new IllegalArgumentException(
                "a sink knows jdbc:postgresql: and jdbc:h2:, found %s".formatted(withoutSecrets(url)));
    }

    /** The URL without user, password and settings. */
    static String withoutSecrets(String url) {
        return url.replaceFirst("[?;].*", "").replaceFirst("//[^/@]*@", "//");
    }

    /** What the driver is told before it connects; what the user said goes before it. */
    Properties connectionProperties(SqlTimeouts timeouts);

    /** Called once for each new connection. */
    void connected(Connection connection, SqlTimeouts timeouts) throws SQLException;

    /** Called at the beginning of each transaction; must not leave anything behind it, since a pooler may share. */
    void begin(Connection connection, SqlTimeouts timeouts) throws SQLException;

    String binaryType();

    default String insert(String table, List<String> columns) {
        return "INSERT INTO %s (%s) VALUES (%s)"
                .formatted(
                        table,
                        String.join(", ", columns),
                        String.join(", ", columns.stream().map(column -> "?").toList()));
    }

    String upsert(String table, List<String> keyColumns, List<String> valueColumns);

    /** The insert for many rows at once, where there is something faster than a JDBC batch. */
    default Optional<ArrayInsert> arrayInsert(String table, List<String> columns) {
        return Optional.empty();
    }

    /** The upsert for many rows at once, none of which has another's key. */
    default Optional<ArrayInsert> arrayUpsert(String table, List<String> keyColumns, List<String> valueColumns) {
        return Optional.empty();
    }
}
