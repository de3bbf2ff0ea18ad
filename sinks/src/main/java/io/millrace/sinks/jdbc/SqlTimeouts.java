package io.millrace.sinks.jdbc;

import java.time.Duration;

/**
 * How long the database may take. None is endless: a call that hangs is given up, and made again on a new connection.
 *
 * @param connect to open a connection
 * @param lock to get a lock that somebody else holds
 * @param statement for one statement
 * @param idle until the database ends a transaction whose owner has fallen silent, so that a successor can go on
 */
public record SqlTimeouts(Duration connect, Duration lock, Duration statement, Duration idle) {
    public static final SqlTimeouts DEFAULT = new SqlTimeouts(
            Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(30));

    public SqlTimeouts {
        for (Duration timeout : new Duration[] {connect, lock, statement, idle}) {
            if (timeout.toMillis() < 1) {
                throw new IllegalArgumentException("a timeout is at least 1 ms, found " + timeout);
            }
        }
    }

    /** The last net: for a connection that takes everything and answers nothing. */
    Duration socket() {
        return statement.plus(connect);
    }
}
