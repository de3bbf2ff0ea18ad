package io.millrace.broker.partition;

import io.millrace.broker.log.Refusal;
import io.millrace.broker.wire.ErrorCode;

/** The log's reasons in the protocol's words. */
final class Refusals {
    private Refusals() {}

    static ErrorCode code(Refusal reason) {
        return switch (reason) {
            case CORRUPT_MESSAGE -> ErrorCode.CORRUPT_MESSAGE;
            case MESSAGE_TOO_LARGE -> ErrorCode.MESSAGE_TOO_LARGE;
            case RECORD_LIST_TOO_LARGE -> ErrorCode.RECORD_LIST_TOO_LARGE;
            case INVALID_RECORD -> ErrorCode.INVALID_RECORD;
            case INVALID_TIMESTAMP -> ErrorCode.INVALID_TIMESTAMP;
            case OUT_OF_ORDER_SEQUENCE -> ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER;
            case INVALID_PRODUCER_EPOCH -> ErrorCode.INVALID_PRODUCER_EPOCH;
            case UNSUPPORTED_FORMAT -> ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT;
            case INVALID_TXN_STATE -> ErrorCode.INVALID_TXN_STATE;
            case TRANSACTION_COORDINATOR_FENCED -> ErrorCode.TRANSACTION_COORDINATOR_FENCED;
            case UNEXPECTED_OFFSET -> ErrorCode.UNKNOWN_SERVER_ERROR;
        };
    }
}
