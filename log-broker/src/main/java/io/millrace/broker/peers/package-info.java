/**
 * What brokers ask of each other, over the protocol that clients use: records are fetched by followers, in-sync sets are
 * agreed on, ends of transactions are brought to leaders, and a broker tells the controller that it lives.
 *
 * <p>A {@link io.millrace.broker.peers.PeerConnection} and everything on it belongs to the loop that opened it: a shard
 * for the fetchers of its partitions, the peers' own loop for the rest. Must not import coordinators, request handling or
 * the server.
 */
package io.millrace.broker.peers;
