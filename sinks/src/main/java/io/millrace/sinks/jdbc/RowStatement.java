package io.millrace.sinks.jdbc;

/**
 * What is done for each record.
 *
 * @param keyColumns how many of a row's first values are its key, so that a later row of the same key replaces an
 *     earlier one; 0 if every row counts
 */
record RowStatement<K, V>(String sql, int keyColumns, RowMapper<K, V> mapper) {}
