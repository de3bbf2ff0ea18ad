package io.millrace.broker.transactions;

import io.millrace.broker.coordination.CoordinatorUnavailable;
import io.millrace.broker.peers.PeerUnavailable;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.DiskException;
import io.millrace.txn.TxnError;
import java.util.concurrent.CompletionException;

/**
 * The coordinator's reasons in the protocol's words.
 *
 * <p>"Replaced" and "timed out" have one word in old protocol versions, INVALID_PRODUCER_EPOCH, and two in new ones:
 * PRODUCER_FENCED is final (KIP-588), after TRANSACTION_ABORTABLE the producer aborts and goes on (KIP-890).
 */
public final class TxnErrors {
    private TxnErrors() {}

    /** For a client that knows both new words. */
    public static ErrorCode code(TxnError error) {
        return code(error, true, true);
    }

    public static ErrorCode code(TxnError error, boolean knowsFenced, boolean knowsAbortable) {
        return switch (error) {
            case NONE -> ErrorCode.NONE;
            case REPLACED -> knowsFenced ? ErrorCode.PRODUCER_FENCED : ErrorCode.INVALID_PRODUCER_EPOCH;
            case TIMED_OUT -> knowsAbortable ? ErrorCode.TRANSACTION_ABORTABLE : ErrorCode.INVALID_PRODUCER_EPOCH;
            case UNKNOWN_PRODUCER -> ErrorCode.INVALID_PRODUCER_ID_MAPPING;
            case INVALID_EPOCH -> ErrorCode.INVALID_PRODUCER_EPOCH;
            case INVALID_STATE -> ErrorCode.INVALID_TXN_STATE;
            case STILL_FINISHING -> ErrorCode.CONCURRENT_TRANSACTIONS;
            case INVALID_TIMEOUT -> ErrorCode.INVALID_TRANSACTION_TIMEOUT;
            case NO_PRODUCER_ID -> ErrorCode.COORDINATOR_LOAD_IN_PROGRESS;
        };
    }

    /** A coordinator that could not be asked. */
    public static ErrorCode code(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof CoordinatorUnavailable unavailable) {
            return unavailable.code();
        }
        if (cause instanceof PeerUnavailable) {
            return ErrorCode.COORDINATOR_NOT_AVAILABLE;
        }
        if (cause instanceof DiskException) {
            return ErrorCode.COORDINATOR_NOT_AVAILABLE;
        }
        throw failure instanceof RuntimeException unexpected ? unexpected : new IllegalStateException(failure);
    }
}
