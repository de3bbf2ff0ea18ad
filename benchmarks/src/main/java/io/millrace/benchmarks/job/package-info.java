/** Jobs of our own runtime, each the main class of a process. Their twins for Kafka Streams are in the module benchmarks-kafka-streams. */
package io.millrace.benchmarks.job;
