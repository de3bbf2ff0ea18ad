package io.millrace.examples;

import io.millrace.sinks.jdbc.JdbcDatabase;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/** What the table says in the end. */
final class DelayReport {
    private static final String MOST_DELAYED = """
            SELECT airport, SUM(flights) AS flights, SUM(delay_minutes) * 1.0 / SUM(flights) AS mean_delay
            FROM airport_hours GROUP BY airport HAVING SUM(flights) >= 50
            ORDER BY mean_delay DESC, airport LIMIT 10""";

    private final JdbcDatabase database;
    private final PrintWriter out;

    DelayReport(JdbcDatabase database, PrintWriter out) {
        this.database = database;
        this.out = out;
    }

    /** Returns whether all flights have been counted. */
    boolean print(int flights) throws SQLException {
        try (Connection connection = database.open();
                Statement statement = connection.createStatement()) {
            out.println();
            out.println("The ten most delayed airports of those with 50 flights or more");
            out.println("airport   flights   mean delay");
            try (ResultSet rows = statement.executeQuery(MOST_DELAYED)) {
                while (rows.next()) {
                    out.println(String.format(
                            Locale.ROOT, "%-7s %,9d %8.1f min", rows.getString(1), rows.getLong(2), rows.getDouble(3)));
                }
            }
            try (ResultSet sum = statement.executeQuery("SELECT COALESCE(SUM(flights), 0) FROM airport_hours")) {
                sum.next();
                long counted = sum.getLong(1);
                out.println(String.format(Locale.ROOT, "%n%,d of %,d flights counted exactly once", counted, flights));
                out.flush();
                return counted == flights;
            }
        }
    }
}
