/**
 * The cluster's metadata: the controller as a decide/apply machine, the quorum that agrees on its events, and the
 * immutable {@link io.millrace.broker.metadata.ClusterImage} that everybody reads.
 *
 * <p>The machine and the quorum are owned by the metadata loop; an image may be read by any thread. Must not import
 * partitions, coordinators, request handling or the server.
 */
package io.millrace.broker.metadata;
