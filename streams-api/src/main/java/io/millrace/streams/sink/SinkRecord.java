package io.millrace.streams.sink;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A record, and what it was in the log, so that it can become a dead letter.
 *
 * @param unreadable why key or value could not be read, or null; key and value are null then
 */
public record SinkRecord<K, V>(ConsumerRecord<byte[], byte[]> raw, K key, V value, RuntimeException unreadable) {
    public int partition() {
        return raw.partition();
    }

    public long offset() {
        return raw.offset();
    }
}
