package io.millrace.streams.runtime;

import org.apache.kafka.common.TopicPartition;

/** The input record that an output comes from. */
record Origin(TopicPartition partition, long offset) {}
