package io.millrace.sinks.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends rows: as arrays in one statement where database and values allow it, else as a JDBC batch. */
final class RowExecution {
    private static final Logger LOG = LoggerFactory.getLogger(RowExecution.class);

    private final RowStatement<?, ?> statement;
    private boolean asArrays;

    RowExecution(RowStatement<?, ?> statement) {
        this.statement = statement;
        this.asArrays = statement.arrays().isPresent();
    }

    void execute(Connection connection, List<Row> rows) throws SQLException {
        // a row that stands alone is bound as ever, so that what refuses it speaks of the user's statement
        boolean sent =
                asArrays && rows.size() > 1 && statement.arrays().orElseThrow().execute(connection, rows);
        if (!sent) {
            batch(connection, rows);
        }
    }

    /**
     * Whether it makes sense to send the same rows again, the other way: the table has types that take a single value
     * of its class but no array of it. From then on that way is the only one.
     */
    boolean canDoWithoutArrays(SQLException refusal) {
        if (!asArrays || !SqlErrors.isStatement(refusal)) {
            return false;
        }
        asArrays = false;
        LOG.info("rows are sent one by one from now on: {}", refusal.getMessage());
        return true;
    }

    private void batch(Connection connection, List<Row> rows) throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement(statement.sql())) {
            for (Row row : rows) {
                bind(prepared, row);
                prepared.addBatch();
            }
            prepared.executeBatch();
        }
    }

    private static void bind(PreparedStatement statement, Row row) throws SQLException {
        int index = 1;
        for (Object value : row.values()) {
            if (value == null) {
                statement.setNull(index, Types.NULL);
            } else if (value instanceof Instant instant) {
                statement.setObject(index, instant.atOffset(ZoneOffset.UTC));
            } else if (value instanceof Enum<?> constant) {
                statement.setString(index, constant.name());
            } else {
                statement.setObject(index, value);
            }
            index++;
        }
    }
}
