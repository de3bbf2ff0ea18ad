package io.millrace.streams.runtime;

import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** The writing half of a session, one implementation for each guarantee. */
interface Outlet extends RecordSender, AutoCloseable {
    /** Becomes the one writer of this slot: whoever had it before is fenced, and what it left open is aborted. */
    void take(int slot);

    Map<TopicPartition, Long> commit(Map<TopicPartition, OffsetAndMetadata> positions, Consumer<byte[], byte[]> member);

    /** Drops what was sent since the last commit, as far as the guarantee can. */
    void abort();

    @Override
    void close();
}
