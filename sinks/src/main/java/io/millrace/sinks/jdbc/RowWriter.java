package io.millrace.sinks.jdbc;

import io.millrace.streams.sink.SinkRecord;
import io.millrace.streams.sink.TooManyDeadLettersException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the rows of one batch into the open transaction. The database's complaint about a row speaks for everything
 * sent with it; so the batch is split in halves until the row stands alone, and becomes a dead letter.
 */
final class RowWriter<K, V> {
    private record Ready<K, V>(SinkRecord<K, V> record, Row row) {}

    private final Connection connection;
    private final RowStatement<K, V> statement;
    private final RowExecution execution;
    private final DeadLetterTable deadLetters;
    private final int deadLettersAllowed;
    private int dead;

    RowWriter(
            Connection connection,
            RowStatement<K, V> statement,
            RowExecution execution,
            DeadLetterTable deadLetters,
            int deadLettersAllowed) {
        this.connection = connection;
        this.statement = statement;
        this.execution = execution;
        this.deadLetters = deadLetters;
        this.deadLettersAllowed = deadLettersAllowed;
    }

    /** Returns how many records became dead letters. */
    int write(List<SinkRecord<K, V>> records) throws SQLException {
        List<Ready<K, V>> rows = new ArrayList<>(records.size());
        for (SinkRecord<K, V> record : records) {
            if (record.unreadable() != null) {
                bury(record, record.unreadable());
                continue;
            }
            try {
                Row row = statement.mapper().map(record.key(), record.value());
                if (!row.values().isEmpty()) {
                    rows.add(new Ready<>(record, row));
                }
            } catch (RuntimeException e) {
                bury(record, e); // whatever the user's mapper throws speaks of this record
            }
        }
        // the row that is refused may hide an earlier good one of its key; so both are there when it comes to splitting
        if (!rows.isEmpty() && !accepted(rows)) {
            split(rows);
        }
        return dead;
    }

    /** One statement must not touch a row twice, and only the last would be seen anyway. */
    private List<Row> lastOfEachKey(List<Ready<K, V>> rows) {
        if (statement.keyColumns() == 0) {
            return rows.stream().map(Ready::row).toList();
        }
        Map<Object, Row> last = new LinkedHashMap<>();
        for (Ready<K, V> ready : rows) {
            last.put(key(ready.row()), ready.row());
        }
        return List.copyOf(last.values());
    }

    private Object key(Row row) {
        List<Object> values = row.values();
        if (statement.keyColumns() == 1) {
            return comparable(values.get(0));
        }
        return values.stream()
                .limit(statement.keyColumns())
                .map(RowWriter::comparable)
                .toList();
    }

    private static Object comparable(Object value) {
        return value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value;
    }

    private void split(List<Ready<K, V>> refused) throws SQLException {
        if (refused.size() == 1) {
            Ready<K, V> single = refused.get(0);
            SQLException error = tried(refused);
            if (error != null) {
                bury(single.record(), error);
            }
            return;
        }
        int middle = refused.size() / 2;
        for (List<Ready<K, V>> half : List.of(refused.subList(0, middle), refused.subList(middle, refused.size()))) {
            if (half.size() == 1 || !accepted(half)) {
                split(half);
            }
        }
    }

    private boolean accepted(List<Ready<K, V>> rows) throws SQLException {
        return tried(rows) == null;
    }

    /** Null if the rows are written; else the data error, and the transaction is as it was before. */
    private SQLException tried(List<Ready<K, V>> rows) throws SQLException {
        Savepoint before = connection.setSavepoint();
        try {
            execution.execute(connection, lastOfEachKey(rows));
            connection.releaseSavepoint(before);
            return null;
        } catch (SQLException e) {
            if (execution.canDoWithoutArrays(e)) {
                connection.rollback(before);
                return tried(rows);
            }
            if (!SqlErrors.isData(e)) {
                throw e;
            }
            connection.rollback(before);
            return e.getNextException() != null ? e.getNextException() : e;
        }
    }

    private void bury(SinkRecord<K, V> record, Exception error) throws SQLException {
        dead++;
        if (dead > deadLettersAllowed) {
            throw new TooManyDeadLettersException(
                    "more bad records than the budget allows, at partition %d offset %d: %s. Repair the input, the statement or the table, or raise the budget"
                            .formatted(record.partition(), record.offset(), error),
                    error);
        }
        deadLetters.add(connection, record, error);
    }
}
