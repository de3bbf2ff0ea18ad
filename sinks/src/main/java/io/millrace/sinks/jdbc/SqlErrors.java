package io.millrace.sinks.jdbc;

import io.millrace.streams.sink.SinkMisfitException;
import io.millrace.streams.sink.SinkUnavailableException;
import java.sql.SQLException;
import java.util.Set;

/** What an error of the database means, by its SQLSTATE. */
final class SqlErrors {
    /** The value does not fit, or breaks a constraint: it speaks of one row. */
    private static final Set<String> DATA = Set.of("22", "23");

    /** Two rows of one upsert have what the database takes for the same key: it speaks of rows sent together. */
    private static final String CARDINALITY = "21";

    /** The statement itself is wrong, or what it names is missing. */
    private static final Set<String> STATEMENT = Set.of("42", "0A", "3F");

    private static final Set<String> LOCK = Set.of("55P03", "HYT00");

    private SqlErrors() {}

    static boolean isData(SQLException error) {
        for (SQLException at = error; at != null; at = at.getNextException()) {
            if (DATA.contains(stateClass(at)) || CARDINALITY.equals(stateClass(at))) {
                return true;
            }
        }
        return false;
    }

    static boolean isStatement(SQLException error) {
        return STATEMENT.contains(stateClass(error));
    }

    /** Anything that is neither the row's nor the statement's fault passes, be it a restart, a deadlock or a network. */
    static RuntimeException ofTransaction(JdbcDatabase database, SQLException error) {
        String text = "%s: %s (SQLSTATE %s)".formatted(database, error.getMessage(), error.getSQLState());
        if (isStatement(error)) {
            return new SinkMisfitException(
                    text + "; change the statement, or create what it names, for example with JdbcDatabase.setup",
                    error);
        }
        return new SinkUnavailableException(
                LOCK.contains(String.valueOf(error.getSQLState())) ? "waiting for lock, " + text : text, error);
    }

    private static String stateClass(SQLException error) {
        String state = error.getSQLState();
        return state == null || state.length() < 2 ? "" : state.substring(0, 2);
    }
}
