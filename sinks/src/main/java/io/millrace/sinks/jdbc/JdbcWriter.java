package io.millrace.sinks.jdbc;

import io.millrace.streams.sink.SinkBatch;
import io.millrace.streams.sink.SinkFencedException;
import io.millrace.streams.sink.SinkIdentity;
import io.millrace.streams.sink.SinkWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One batch, one transaction: lock the ledger's lines, write the rows, move the offsets, commit. Each attempt begins with
 * the ledger, on a connection that no error has touched; so an attempt whose commit is in doubt is decided by the
 * next one reading how far the ledger is.
 */
final class JdbcWriter<K, V> implements SinkWriter<K, V> {
    private final JdbcDatabase database;
    private final RowStatement<K, V> statement;
    private final RowExecution execution;
    private final Link link;
    private final Ledger ledger;
    private final DeadLetterTable deadLetters;
    private final Map<Integer, Long> epochs = new HashMap<>();

    JdbcWriter(JdbcDatabase database, SinkIdentity identity, RowStatement<K, V> statement) {
        this.database = database;
        this.statement = statement;
        this.execution = new RowExecution(statement);
        this.link = new Link(database);
        this.ledger = new Ledger(identity);
        this.deadLetters = new DeadLetterTable(identity);
    }

    @Override
    public Map<Integer, Long> takeOver(List<Integer> partitions) {
        Map<Integer, Ledger.Entry> entries;
        try {
            link.transaction(connection -> {
                createTables(connection);
                return null;
            });
            entries = link.transaction(connection -> ledger.takeOver(connection, partitions));
        } catch (SQLException e) {
            throw SqlErrors.ofTransaction(database, e);
        }
        epochs.clear();
        Map<Integer, Long> offsets = new TreeMap<>();
        entries.forEach((partition, entry) -> {
            epochs.put(partition, entry.ownerEpoch());
            offsets.put(partition, entry.nextOffset());
        });
        return offsets;
    }

    private void createTables(Connection connection) throws SQLException {
        try (Statement create = connection.createStatement()) {
            create.execute(Ledger.CREATE);
            create.execute(DeadLetterTable.create(link.dialect()));
            for (String sql : database.setup()) {
                create.execute(sql);
            }
        }
    }

    @Override
    public int write(SinkBatch<K, V> batch) {
        try {
            return link.transaction(connection -> {
                Map<Integer, Ledger.Entry> entries =
                        ledger.lock(connection, batch.ranges().keySet());
                if (alreadyWritten(batch, entries)) {
                    return 0;
                }
                RowWriter<K, V> rows =
                        new RowWriter<>(connection, statement, execution, deadLetters, batch.deadLettersAllowed());
                int dead = rows.write(batch.records());
                ledger.move(connection, entries, batch.ranges());
                return dead;
            });
        } catch (SQLException e) {
            throw SqlErrors.ofTransaction(database, e);
        }
    }

    /** A batch is committed as a whole, so one line that has arrived means that all have. */
    private boolean alreadyWritten(SinkBatch<K, V> batch, Map<Integer, Ledger.Entry> entries) {
        boolean arrived = false;
        for (Map.Entry<Integer, SinkBatch.Range> range : batch.ranges().entrySet()) {
            int partition = range.getKey();
            Ledger.Entry entry = entries.get(partition);
            Long epoch = epochs.get(partition);
            if (entry == null || epoch == null || entry.ownerEpoch() != epoch) {
                throw new SinkFencedException("partition %d belongs to owner epoch %s of the ledger, this one is %s"
                        .formatted(partition, entry == null ? "none" : entry.ownerEpoch(), epoch));
            }
            if (entry.nextOffset() == range.getValue().next()) {
                arrived = true;
            } else if (entry.nextOffset() != NO_OFFSET
                    && entry.nextOffset() != range.getValue().from()) {
                throw new SinkFencedException("partition %d is at offset %d in the ledger, this batch begins at %d"
                        .formatted(
                                partition, entry.nextOffset(), range.getValue().from()));
            }
        }
        return arrived;
    }

    @Override
    public void close() {
        link.close();
    }
}
