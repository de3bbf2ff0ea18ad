package io.millrace.txn;

/**
 * How the end of a transaction is signed.
 *
 * @param raisesEpoch whether the identity's epoch is the one after the transaction's, so that the marker shuts out
 *     everything of the transaction that is still under way; otherwise it is the transaction's own
 */
public record TxnMarker(ProducerIdentity identity, boolean raisesEpoch) {}
