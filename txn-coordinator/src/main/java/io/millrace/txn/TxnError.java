package io.millrace.txn;

/** Why a producer is refused. "Replaced" is final for it; after "timed out" it may abort and go on. */
public enum TxnError {
    NONE,
    /** A newer instance of this transactional id has taken over. */
    REPLACED,
    /** The transaction was open for too long and has been aborted. */
    TIMED_OUT,
    /** The transactional id is unknown, or belongs to another producer id. */
    UNKNOWN_PRODUCER,
    /** An epoch that was never handed out. */
    INVALID_EPOCH,
    /** The request does not fit what the transaction is doing. */
    INVALID_STATE,
    /** Still finishing the last transaction after the longest wait allowed. */
    STILL_FINISHING,
    /** The timeout asked for is not allowed. */
    INVALID_TIMEOUT,
    /** No producer id can be had right now; ask again. */
    NO_PRODUCER_ID
}
