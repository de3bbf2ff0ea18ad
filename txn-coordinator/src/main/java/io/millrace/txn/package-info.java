/**
 * The transaction coordinator as a decide/apply machine: producer ids and epochs, fencing, the registration of
 * partitions, and a two-phase end of which every step can be repeated (KIP-98, KIP-890).
 *
 * <p>Owned by whoever hosts the machine, one thread at a time. Knows commands, events and replies; never sockets,
 * files, or who leads which partition. Must not import the broker.
 */
package io.millrace.txn;
