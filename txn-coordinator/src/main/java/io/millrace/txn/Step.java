package io.millrace.txn;

import io.millrace.txn.TxnCommand.Answer;

/**
 * What a command does to a transaction.
 *
 * @param changed the new state; null for no change
 * @param answer what the client hears; null when the command has to wait for the end that is under way
 */
record Step(Transaction changed, Answer answer) {

    static Step park() {
        return new Step(null, null);
    }

    static Step refuse(TxnError error, String message) {
        return new Step(null, Answer.refused(error, message));
    }

    static Step answer(ProducerIdentity identity) {
        return new Step(null, Answer.ok(identity));
    }

    static Step change(Transaction changed) {
        return new Step(changed, Answer.ok(changed.current()));
    }
}
