package io.millrace.sinks.jdbc;

import io.millrace.streams.sink.Sink;
import io.millrace.streams.sink.SinkIdentity;
import io.millrace.streams.sink.SinkWriter;

record JdbcSink<K, V>(JdbcDatabase database, RowStatement<K, V> statement) implements Sink<K, V> {
    @Override
    public String describe() {
        return "%s: %s".formatted(database, statement.sql());
    }

    @Override
    public SinkWriter<K, V> open(SinkIdentity identity) {
        return new JdbcWriter<>(database, identity, statement);
    }
}
