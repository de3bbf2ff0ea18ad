/**
 * One partition's bytes: segments and their indexes, recovery, producer states, aborted transactions, leader epochs,
 * retention and compaction. The way in is {@link io.millrace.broker.log.PartitionLog}; readers use the immutable
 * {@link io.millrace.broker.log.ReadView}.
 *
 * <p>Owned by the partition's shard: nothing here starts a thread, and time is handed in. Only a {@code ReadView} and
 * what it reaches, and {@code Checkpointing.run}, may be used on other threads. Files keep the names and formats of
 * Apache Kafka, so its tools can check them. The package knows no replicas, no requests and no topics; it must not
 * import {@code replication}, {@code partition}, {@code metadata}, {@code coordination}, {@code group}, {@code api} or
 * {@code server}.
 */
package io.millrace.broker.log;
