package io.millrace.sinks.jdbc;

import io.millrace.streams.sink.SinkBatch;
import io.millrace.streams.sink.SinkFencedException;
import io.millrace.streams.sink.SinkIdentity;
import io.millrace.streams.sink.SinkWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The table that says how far each partition has been written, and by whom. It is the truth: an offset in it and the
 * rows up to that offset were committed together. Every method runs inside the caller's transaction.
 */
final class Ledger {
    static final String CREATE = """
            CREATE TABLE IF NOT EXISTS millrace_ledger (
                cluster_id VARCHAR(64) NOT NULL,
                job VARCHAR(128) NOT NULL,
                sink VARCHAR(128) NOT NULL,
                topic_id VARCHAR(64) NOT NULL,
                partition_no INTEGER NOT NULL,
                topic VARCHAR(249) NOT NULL,
                next_offset BIGINT NOT NULL,
                owner_epoch BIGINT NOT NULL,
                PRIMARY KEY (cluster_id, job, sink, topic_id, partition_no))""";

    private static final String KEY = "cluster_id = ? AND job = ? AND sink = ? AND topic_id = ? AND partition_no = ?";
    private static final int KEY_COLUMNS = 5;

    /** A line of the ledger. */
    record Entry(long nextOffset, long ownerEpoch) {}

    private final SinkIdentity identity;

    Ledger(SinkIdentity identity) {
        this.identity = identity;
    }

    /** Raises the owner epoch of each partition; from the commit on, no earlier owner can move it. */
    Map<Integer, Entry> takeOver(Connection connection, List<Integer> partitions) throws SQLException {
        String raise = "UPDATE millrace_ledger SET owner_epoch = owner_epoch + 1 WHERE " + KEY;
        try (PreparedStatement statement = connection.prepareStatement(raise)) {
            for (int partition : partitions) {
                bindKey(statement, 1, partition);
                if (statement.executeUpdate() == 0) {
                    insert(connection, partition);
                }
            }
        }
        return lock(connection, partitions);
    }

    private void insert(Connection connection, int partition) throws SQLException {
        String insert =
                "INSERT INTO millrace_ledger (cluster_id, job, sink, topic_id, partition_no, topic, next_offset,"
                        + " owner_epoch) VALUES (?, ?, ?, ?, ?, ?, ?, 1)";
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            bindKey(statement, 1, partition);
            statement.setString(KEY_COLUMNS + 1, identity.topic());
            statement.setLong(KEY_COLUMNS + 2, SinkWriter.NO_OFFSET);
            statement.executeUpdate();
        }
    }

    /** Reads and locks these lines until the transaction ends, so that nobody takes over in the middle of it. */
    Map<Integer, Entry> lock(Connection connection, Iterable<Integer> partitions) throws SQLException {
        Map<Integer, Entry> entries = new TreeMap<>();
        String select = "SELECT next_offset, owner_epoch FROM millrace_ledger WHERE " + KEY + " FOR UPDATE";
        try (PreparedStatement statement = connection.prepareStatement(select)) {
            for (int partition : partitions) {
                bindKey(statement, 1, partition);
                try (ResultSet result = statement.executeQuery()) {
                    if (result.next()) {
                        entries.put(partition, new Entry(result.getLong(1), result.getLong(2)));
                    }
                }
            }
        }
        return entries;
    }

    /** Moves each partition from where it is to where the batch brings it, if this owner still owns it. */
    void move(Connection connection, Map<Integer, Entry> owned, Map<Integer, SinkBatch.Range> ranges)
            throws SQLException {
        String move =
                "UPDATE millrace_ledger SET next_offset = ? WHERE " + KEY + " AND owner_epoch = ? AND next_offset = ?";
        try (PreparedStatement statement = connection.prepareStatement(move)) {
            for (Map.Entry<Integer, SinkBatch.Range> range : ranges.entrySet()) {
                Entry entry = owned.get(range.getKey());
                statement.setLong(1, range.getValue().next());
                bindKey(statement, 2, range.getKey());
                statement.setLong(KEY_COLUMNS + 2, entry.ownerEpoch());
                statement.setLong(KEY_COLUMNS + 3, entry.nextOffset());
                if (statement.executeUpdate() != 1) {
                    throw new SinkFencedException("partition %d of %s has another owner since epoch %d"
                            .formatted(range.getKey(), identity.topic(), entry.ownerEpoch()));
                }
            }
        }
    }

    private void bindKey(PreparedStatement statement, int from, int partition) throws SQLException {
        statement.setString(from, identity.clusterId());
        statement.setString(from + 1, identity.job());
        statement.setString(from + 2, identity.sink());
        statement.setString(from + 3, identity.topicId());
        statement.setInt(from + 4, partition);
    }
}
