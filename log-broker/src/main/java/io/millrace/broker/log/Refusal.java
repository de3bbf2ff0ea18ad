package io.millrace.broker.log;

/** Why an append is refused; each is an error of the protocol. */
public enum Refusal {
    CORRUPT_MESSAGE,
    UNSUPPORTED_FORMAT,
    /** A batch above the limit of one message. */
    MESSAGE_TOO_LARGE,
    /** More than a segment can hold. */
    RECORD_LIST_TOO_LARGE,
    INVALID_RECORD,
    INVALID_TIMESTAMP,
    OUT_OF_ORDER_SEQUENCE,
    INVALID_PRODUCER_EPOCH,
    /** The batch does not fit the transaction its producer has open here. */
    INVALID_TXN_STATE,
    /** A marker of a coordinator that has been replaced. */
    TRANSACTION_COORDINATOR_FENCED,
    /** A follower's batch that does not start behind the log's end. */
    UNEXPECTED_OFFSET
}
