package io.millrace.sinks.jdbc;

import java.util.Optional;

/**
 * What is done for each record.
 *
 * @param arrays the same for many rows at once, where the database has a faster way than a JDBC batch
 * @param keyColumns how many of a row's first values are its key, so that a later row of the same key replaces an
 *     earlier one; 0 if every row counts
 */
record RowStatement<K, V>(String sql, Optional<ArrayInsert> arrays, int keyColumns, RowMapper<K, V> mapper) {}
