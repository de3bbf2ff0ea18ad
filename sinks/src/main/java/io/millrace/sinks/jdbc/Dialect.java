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

    String upsert(String table, List<String> keyColumns, List<String> valueColumns);

    /** The same for many rows at once, none of which may have another's key. Empty if there is nothing faster. */
    Optional<ArrayUpsert> arrayUpsert(String table, List<String> keyColumns, List<String> valueColumns);
}
