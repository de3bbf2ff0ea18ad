/**
 * A partition as the unit of ownership: its log and its replica role joined, appends that wait for replicas, readers
 * that wait for data, and the gate that lets a transaction's first batch in only once its coordinator knows of it.
 *
 * <p>Everything here is owned by one shard, a thread with a queue, and everything that happens to a partition is a
 * {@link io.millrace.broker.partition.ShardMessage}. Other threads see the {@link
 * io.millrace.broker.partition.PartitionRegistry} and a partition's read view. Must not import coordinators, request
 * handling or the server.
 */
package io.millrace.broker.partition;
