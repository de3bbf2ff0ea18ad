/**
 * What the transaction coordinator and the rest of the broker ask of each other: partitions and groups that ask
 * whether a transaction may write to them, and the ends of transactions that are brought to partitions and groups.
 *
 * <p>Keeps no state of its own. Must not import request handling or the server.
 */
package io.millrace.broker.transactions;
