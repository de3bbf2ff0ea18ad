package io.millrace.txn;

import io.millrace.txn.TxnCommand.End;

/**
 * Commit and abort. Every step can be repeated and gives the same answer; a repeat of an end is recognised by the
 * identity that the producer had before it, and only while nothing newer is open.
 */
final class Ending {
    private final Epochs epochs;

    Ending(Epochs epochs) {
        this.epochs = epochs;
    }

    Step decide(End end, Transaction known, long nowMs) {
        if (known != null && isRepeat(end, known)) {
            return Step.answer(known.current());
        }
        Step refusal = Fencing.refusal(end.id(), known, end.who());
        if (refusal != null) {
            return refusal;
        }
        return switch (known.status()) {
            case ONGOING -> end(end, known, nowMs);
            case PREPARE_COMMIT, PREPARE_ABORT -> afterDecision(end, known);
            case EMPTY -> endEmpty(end, known, nowMs);
            case COMPLETE_COMMIT, COMPLETE_ABORT ->
                end.raisesEpoch() ? endEmpty(end, known, nowMs) : afterDecision(end, known);
        };
    }

    /** The same end once more, or the abort of a transaction that a timeout has aborted already. */
    private static boolean isRepeat(End end, Transaction known) {
        boolean ended = known.status() != TxnStatus.ONGOING && known.status() != TxnStatus.EMPTY;
        return ended && end.who().equals(known.previous()) && end.commit() == known.committed();
    }

    /** Where the epoch stays the same, the end that was decided is the one that is asked for, or the wrong one. */
    private static Step afterDecision(End end, Transaction known) {
        if (end.raisesEpoch()) {
            return Step.park(); // the producer already has the identity of its next transaction
        }
        if (end.commit() == known.committed()) {
            return Step.answer(known.current());
        }
        return Step.refuse(
                TxnError.INVALID_STATE,
                "cannot " + word(end.commit()) + " the transaction of " + end.id() + ": it is "
                        + (known.committed() ? "committed" : "aborted") + " already");
    }

    private static String word(boolean commit) {
        return commit ? "commit" : "abort";
    }

    private Step end(End end, Transaction known, long nowMs) {
        ProducerIdentity current = known.current();
        if (!end.raisesEpoch()) {
            return Step.change(known.ending(
                    end.commit(), current, null, new TxnMarker(current, false), Transaction.Why.ASKED, nowMs));
        }
        ProducerIdentity next = epochs.after(current);
        if (next == null) {
            return Step.refuse(TxnError.NO_PRODUCER_ID, "no producer id is at hand; ask again");
        }
        return Step.change(known.ending(end.commit(), next, current, raised(current), Transaction.Why.ASKED, nowMs));
    }

    private static TxnMarker raised(ProducerIdentity current) {
        return new TxnMarker(current.nextEpoch(), true);
    }

    /** Nothing was written: the end is a success. A new epoch keeps a late repeat of it from ending what comes next. */
    private Step endEmpty(End end, Transaction known, long nowMs) {
        if (!end.raisesEpoch()) {
            return Step.answer(known.current());
        }
        ProducerIdentity next = epochs.after(known.current());
        if (next == null) {
            return Step.refuse(TxnError.NO_PRODUCER_ID, "no producer id is at hand; ask again");
        }
        return Step.change(known.endedEmpty(end.commit(), next, nowMs));
    }

    /**
     * Aborts what was open for too long. The next epoch shuts out what the producer has still under way, and lets it
     * go on once it has noticed.
     *
     * @return null when a new producer id is needed and none is at hand
     */
    Transaction abortOverdue(Transaction open, long nowMs) {
        ProducerIdentity current = open.current();
        ProducerIdentity next = epochs.after(current);
        return next == null ? null : open.ending(false, next, current, raised(current), Transaction.Why.TIMEOUT, nowMs);
    }

    /**
     * Aborts what an older instance left open.
     *
     * @param recovering what the producer was, when it is the same instance that goes on; null for a new one
     */
    Transaction abortReplaced(Transaction open, ProducerIdentity recovering, long nowMs) {
        ProducerIdentity raised = open.current().nextEpoch();
        return open.ending(false, raised, recovering, new TxnMarker(raised, true), Transaction.Why.REPLACED, nowMs);
    }
}
