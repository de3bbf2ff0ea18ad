package io.millrace.streams.runtime;

import io.millrace.streams.plan.Plan;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** What a dead letter looks like: key and value as they were, the origin's own headers, and why it is here. */
final class DeadLetters {
    private DeadLetters() {}

    static ProducerRecord<byte[], byte[]> letter(
            Plan plan, String stage, ConsumerRecord<byte[], byte[]> origin, Throwable error) {
        ProducerRecord<byte[], byte[]> letter = new ProducerRecord<>(
                plan.deadLetterTopic(),
                null,
                origin.timestamp() < 0 ? null : origin.timestamp(),
                origin.key(),
                origin.value());
        Headers headers = letter.headers();
        for (Header header : origin.headers()) {
            headers.add(header);
        }
        add(headers, "millrace.job", plan.job().name());
        add(headers, "millrace.stage", stage);
        add(headers, "millrace.origin.topic", origin.topic());
        add(headers, "millrace.origin.partition", Integer.toString(origin.partition()));
        add(headers, "millrace.origin.offset", Long.toString(origin.offset()));
        add(headers, "millrace.error.class", error.getClass().getName());
        add(headers, "millrace.error.message", String.valueOf(error.getMessage()));
        return letter;
    }

    private static void add(Headers headers, String name, String value) {
        headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
