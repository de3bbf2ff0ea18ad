/** The jobs of the benchmarks for Kafka Streams, each the main class of a process. */
package io.millrace.benchmarks.kafkastreams;
