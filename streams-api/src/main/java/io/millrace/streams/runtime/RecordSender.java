package io.millrace.streams.runtime;

import org.apache.kafka.clients.producer.ProducerRecord;

/** Takes records for the open interval. Errors of a send come with the commit. */
@FunctionalInterface
interface RecordSender {
    /** The origin is null for a changelog. */
    void send(ProducerRecord<byte[], byte[]> record, Origin origin);
}
