package io.millrace.streams.runtime;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The input record that an output comes from. */
record Origin(TopicPartition partition, long offset) {
    static Origin of(ConsumerRecord<?, ?> input) {
        return new Origin(new TopicPartition(input.topic(), input.partition()), input.offset());
    }
}
