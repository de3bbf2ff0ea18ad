/**
 * Agreement on the metadata of several nodes: {@link io.millrace.broker.quorum.RatisQuorum} is the {@link
 * io.millrace.broker.metadata.MetadataQuorum} that Apache Ratis (Raft) stands behind.
 *
 * <p>Ratis brings threads, files and sockets of its own, which do not go through the seams of {@code kernel}: an accepted
 * exception, bounded by this package (see {@code docs/decisions/metadata-quorum.md}). Its one thread that applies entries
 * owns the {@link io.millrace.broker.quorum.QuorumState}; all that is told to a listener goes through {@link
 * io.millrace.broker.quorum.Announcements} and runs on the metadata loop; proposals come from that loop.
 *
 * <p>Nothing outside may import Ratis, and nothing in here partitions, coordinators, request handling or the server.
 */
package io.millrace.broker.quorum;
