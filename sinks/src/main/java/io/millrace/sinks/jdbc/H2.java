package io.millrace.sinks.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class H2 implements Dialect {
    private static final Logger LOG = LoggerFactory.getLogger(H2.class);
    private static final int ADMINISTRATOR_NEEDED = 90040;

    @Override
    public Properties connectionProperties(SqlTimeouts timeouts) {
        return new Properties();
    }

    @Override
    public void connected(Connection connection, SqlTimeouts timeouts) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET LOCK_TIMEOUT %d".formatted(timeouts.lock().toMillis()));
            statement.execute(
                    "SET QUERY_TIMEOUT %d".formatted(timeouts.statement().toMillis()));
            writeAtCommit(statement);
        }
    }

    /**
     * By default H2 writes to its file some time after a commit, from a thread of its own. Killed with -9 it then came
     * back now and then with an index that did not fit its table; not once when commits themselves write. The
     * setting stays in the database, and only an administrator may make it.
     */
    private static void writeAtCommit(Statement statement) throws SQLException {
        try {
            statement.execute("SET WRITE_DELAY 0");
        } catch (SQLException e) {
            if (e.getErrorCode() != ADMINISTRATOR_NEEDED) {
                throw e;
            }
            LOG.warn("this H2 user may not SET WRITE_DELAY 0; let an administrator do it, for the sake of kill -9");
        }
    }

    @Override
    public void begin(Connection connection, SqlTimeouts timeouts) {
        // H2 has no settings of a transaction
    }

    @Override
    public String binaryType() {
        return "VARBINARY";
    }

    @Override
    public String upsert(String table, List<String> keyColumns, List<String> valueColumns) {
        List<String> all = new ArrayList<>(keyColumns);
        all.addAll(valueColumns);
        return "MERGE INTO %s (%s) KEY (%s) VALUES (%s)"
                .formatted(
                        table,
                        String.join(", ", all),
                        String.join(", ", keyColumns),
                        String.join(", ", all.stream().map(column -> "?").toList()));
    }
}
