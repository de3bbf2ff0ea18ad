package io.millrace.txn;

/** Who may act on a transactional id. */
final class Fencing {
    private Fencing() {}

    /** Why a producer may not act; null when it may. */
    static Step refusal(String id, Transaction known, ProducerIdentity who) {
        if (known == null) {
            return Step.refuse(
                    TxnError.UNKNOWN_PRODUCER,
                    "transactional id " + id + " is not known; it never "
                            + "initialised a producer, or was idle for too long");
        }
        ProducerIdentity current = known.current();
        if (who.equals(current)) {
            return null;
        }
        if (who.equals(known.previous()) && known.timedOut()) {
            return Step.refuse(
                    TxnError.TIMED_OUT,
                    "the transaction of " + id + " was open for more than " + known.timeoutMs()
                            + " ms and has been aborted; abort it and begin a new one");
        }
        if (who.equals(known.previous()) || isOlder(who, current)) {
            return Step.refuse(
                    TxnError.REPLACED,
                    "producer " + who.producerId() + " with epoch " + who.epoch()
                            + " has been replaced by a newer instance of " + id);
        }
        if (who.producerId() == current.producerId()) {
            return Step.refuse(
                    TxnError.INVALID_EPOCH,
                    "epoch " + who.epoch() + " of producer " + who.producerId()
                            + " was never handed out; the current one is " + current.epoch());
        }
        return Step.refuse(TxnError.UNKNOWN_PRODUCER, "producer " + who.producerId() + " does not belong to " + id);
    }

    private static boolean isOlder(ProducerIdentity who, ProducerIdentity current) {
        return who.producerId() == current.producerId() && who.epoch() < current.epoch();
    }
}
