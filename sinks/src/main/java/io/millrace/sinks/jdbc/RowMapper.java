package io.millrace.sinks.jdbc;

/** Makes a row of a record, or {@link Row#NONE}. A record for which it throws becomes a dead letter. */
@FunctionalInterface
public interface RowMapper<K, V> {
    Row map(K key, V value);
}
