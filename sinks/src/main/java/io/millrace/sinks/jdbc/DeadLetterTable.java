package io.millrace.sinks.jdbc;

import io.millrace.streams.sink.SinkIdentity;
import io.millrace.streams.sink.SinkRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Records that the database refused, or that never became a row, in the transaction that moves their offset. */
final class DeadLetterTable {
    private static final int LONGEST_MESSAGE = 2000;

    private final SinkIdentity identity;

    DeadLetterTable(SinkIdentity identity) {
        this.identity = identity;
    }

    static String create(Dialect dialect) {
        return """
               CREATE TABLE IF NOT EXISTS millrace_dead_letters (
                   cluster_id VARCHAR(64) NOT NULL,
                   job VARCHAR(128) NOT NULL,
                   sink VARCHAR(128) NOT NULL,
                   topic VARCHAR(249) NOT NULL,
                   partition_no INTEGER NOT NULL,
                   record_offset BIGINT NOT NULL,
                   error_class VARCHAR(250) NOT NULL,
                   sql_state VARCHAR(5),
                   error_message VARCHAR(%d),
                   record_key %s,
                   record_value %s,
                   written_at TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL)""".formatted(LONGEST_MESSAGE, dialect.binaryType(), dialect.binaryType());
    }

    void add(Connection connection, SinkRecord<?, ?> dead, Exception error) throws SQLException {
        String insert = "INSERT INTO millrace_dead_letters (cluster_id, job, sink, topic, partition_no, record_offset,"
                + " error_class, sql_state, error_message, record_key, record_value)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setString(1, identity.clusterId());
            statement.setString(2, identity.job());
            statement.setString(3, identity.sink());
            statement.setString(4, identity.topic());
            statement.setInt(5, dead.partition());
            statement.setLong(6, dead.offset());
            statement.setString(7, error.getClass().getName());
            statement.setString(8, error instanceof SQLException sql ? sql.getSQLState() : null);
            statement.setString(9, message(error));
            statement.setBytes(10, dead.raw().key());
            statement.setBytes(11, dead.raw().value());
            statement.executeUpdate();
        }
    }

    /** A NUL character would be refused by PostgreSQL, and the dead letter with it. */
    private static String message(Exception error) {
        String message = String.valueOf(error.getMessage()).replace('\0', ' ');
        return message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE);
    }
}
