package io.millrace.benchmarks.workload;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** The fastest ways to upsert that plain JDBC has, 5,000 rows a transaction. */
enum PlainUpsert {
    UNNEST {
        @Override
        void write(Connection connection, String table, int rows) throws SQLException {
            String sql = "INSERT INTO " + table + " SELECT * FROM unnest(?::bigint[], ?::text[], ?::float8[], "
                    + "?::timestamp[], ?::bool[])" + ON_CONFLICT;
            PGConnection arrays = connection.unwrap(PGConnection.class);
            try (PreparedStatement insert = connection.prepareStatement(sql)) {
                for (int from = 0; from < rows; from += BATCH) {
                    int count = Math.min(BATCH, rows - from);
                    long[] ids = new long[count];
                    String[] names = new String[count];
                    double[] amounts = new double[count];
                    String[] times = new String[count];
                    boolean[] flags = new boolean[count];
                    for (int i = 0; i < count; i++) {
                        int id = from + i;
                        ids[i] = id;
                        names[i] = SinkInput.name(id);
                        amounts[i] = SinkInput.amount(id);
                        times[i] = TIME;
                        flags[i] = SinkInput.flag(id);
                    }
                    insert.setArray(1, arrays.createArrayOf("int8", ids));
                    insert.setArray(2, connection.createArrayOf("text", names));
                    insert.setArray(3, arrays.createArrayOf("float8", amounts));
                    insert.setArray(4, connection.createArrayOf("timestamp", times));
                    insert.setArray(5, arrays.createArrayOf("bool", flags));
                    insert.executeUpdate();
                    connection.commit();
                }
            }
        }
    },
    COPY {
        @Override
        void write(Connection connection, String table, int rows) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE TEMP TABLE staging (LIKE " + table + ") ON COMMIT DELETE ROWS");
                connection.commit();
                for (int from = 0; from < rows; from += BATCH) {
                    copy(connection, from, Math.min(BATCH, rows - from));
                    statement.execute("INSERT INTO " + table + " SELECT * FROM staging" + ON_CONFLICT);
                    connection.commit();
                }
            }
        }

        private void copy(Connection connection, int from, int count) throws SQLException {
            StringBuilder text = new StringBuilder();
            for (int id = from; id < from + count; id++) {
                text.append(id)
                        .append('\t')
                        .append(SinkInput.name(id))
                        .append('\t')
                        .append(SinkInput.amount(id));
                text.append('\t')
                        .append(TIME)
                        .append('\t')
                        .append(SinkInput.flag(id) ? 't' : 'f')
                        .append('\n');
            }
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn("COPY staging FROM STDIN");
            copy.writeToCopy(bytes, 0, bytes.length);
            copy.endCopy();
        }
    };

    private static final int BATCH = 5000;
    private static final String TIME = "2023-11-14 22:13:20";
    private static final String ON_CONFLICT = " ON CONFLICT (id) DO UPDATE SET name = excluded.name, "
            + "amount = excluded.amount, ts = excluded.ts, flag = excluded.flag";

    void write(String url, String table, int rows) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            write(connection, table, rows);
        }
    }

    abstract void write(Connection connection, String table, int rows) throws SQLException;
}
