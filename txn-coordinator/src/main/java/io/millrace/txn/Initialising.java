package io.millrace.txn;

import io.millrace.txn.TxnCommand.Init;

/** A producer starts, or goes on after an error: it gets an identity that shuts out everything before it. */
final class Initialising {
    private final TxnSettings settings;
    private final Epochs epochs;
    private final Ending ending;

    Initialising(TxnSettings settings, Epochs epochs, Ending ending) {
        this.settings = settings;
        this.epochs = epochs;
        this.ending = ending;
    }

    Step decide(Init init, Transaction known, long nowMs) {
        if (init.timeoutMs() <= 0 || init.timeoutMs() > settings.maxTimeoutMs()) {
            return Step.refuse(
                    TxnError.INVALID_TIMEOUT,
                    "a transaction timeout of " + init.timeoutMs() + " ms; allowed: 1 to " + settings.maxTimeoutMs()
                            + " (transaction.max.timeout.ms)");
        }
        if (known == null) {
            // A producer that has an identity already was forgotten: whatever it wrote is settled, so it may begin
            // anew.
            return begin(init, epochs.first(), nowMs);
        }
        boolean recovers = init.expected() != null;
        if (recovers
                && !init.expected().equals(known.current())
                && !init.expected().equals(known.previous())) {
            return Step.refuse(
                    TxnError.REPLACED,
                    "producer " + init.expected().producerId() + " with epoch "
                            + init.expected().epoch() + " has been replaced by a newer instance of " + init.id());
        }
        return switch (known.status()) {
            case PREPARE_COMMIT, PREPARE_ABORT -> Step.park();
            case ONGOING -> new Step(ending.abortReplaced(known, init.expected(), nowMs), null);
            case EMPTY, COMPLETE_COMMIT, COMPLETE_ABORT -> begin(init, epochs.after(known.current()), nowMs);
        };
    }

    private static Step begin(Init init, ProducerIdentity identity, long nowMs) {
        if (identity == null) {
            return Step.refuse(TxnError.NO_PRODUCER_ID, "no producer id is at hand; ask again");
        }
        return Step.change(Transaction.begun(init.id(), identity, init.expected(), init.timeoutMs(), nowMs));
    }
}
