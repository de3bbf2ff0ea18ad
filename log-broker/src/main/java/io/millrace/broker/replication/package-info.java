/**
 * The roles of a replica: in-sync set, high watermark, leader epoch. Pure state, no I/O and no time of its own.
 *
 * <p>Owned by the shard of the partition. Must not import the log, the partition or anything above.
 */
package io.millrace.broker.replication;
