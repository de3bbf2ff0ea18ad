package io.millrace.txn;

import io.millrace.txn.TxnCommand.OfTransaction;

/** What has happened to transactional ids. Only the first two are recorded. */
public sealed interface TxnEvent {

    record Changed(Transaction transaction) implements TxnEvent {}

    /** An id that was idle for too long. */
    record Forgotten(String id) implements TxnEvent {}

    /** A command waits for the end of its id's last transaction. */
    record Parked(OfTransaction command, long untilMs) implements TxnEvent {}

    /** A command that waited is taken up again or given up. */
    record Unparked(OfTransaction command) implements TxnEvent {}
}
