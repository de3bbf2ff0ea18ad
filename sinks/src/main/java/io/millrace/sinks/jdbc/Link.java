package io.millrace.sinks.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection at a time, and a transaction on it. After any error the connection is thrown away: what is asked next
 * is asked on a new one, so that no leftover of the failed transaction can answer.
 */
final class Link implements AutoCloseable {
    /** A piece of work in a transaction. */
    interface Work<T> {
        T in(Connection connection) throws SQLException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);

    private final JdbcDatabase database;
    private final Dialect dialect;
    private Connection connection;

    Link(JdbcDatabase database) {
        this.database = database;
        this.dialect = Dialect.of(database.url());
    }

    Dialect dialect() {
        return dialect;
    }

    /** Commits if the work returns. An exception says nothing about whether the commit happened. */
    <T> T transaction(Work<T> work) throws SQLException {
        boolean done = false;
        try {
            Connection open = open();
            dialect.begin(open, database.timeouts());
            T result = work.in(open);
            open.commit();
            done = true;
            return result;
        } finally {
            if (!done) {
                close();
            }
        }
    }

    private Connection open() throws SQLException {
        if (connection == null) {
            connection = database.open();
            connection.setAutoCommit(false);
            dialect.connected(connection, database.timeouts());
            connection.commit();
        }
        return connection;
    }

    @Override
    public void close() {
        if (connection == null) {
            return;
        }
        try {
            connection.rollback();
        } catch (SQLException e) {
            LOG.debug("rollback on a connection that is thrown away: {}", e.getMessage());
        }
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debug("closing a broken connection: {}", e.getMessage());
        }
        connection = null;
    }
}
