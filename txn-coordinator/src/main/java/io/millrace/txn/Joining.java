package io.millrace.txn;

import io.millrace.txn.TxnCommand.Join;
import io.millrace.txn.TxnCommand.Verify;

/** Partitions join a transaction, or ask whether they have. */
final class Joining {

    Step join(Join join, Transaction known, long nowMs) {
        Step refusal = Fencing.refusal(join.id(), known, join.who());
        if (refusal != null) {
            return refusal;
        }
        if (known.status().finishing()) {
            return Step.park();
        }
        if (known.status() == TxnStatus.ONGOING && known.partitions().containsAll(join.partitions())) {
            return Step.answer(known.current());
        }
        return Step.change(known.joined(join.partitions(), nowMs));
    }

    Step verify(Verify verify, Transaction known) {
        Step refusal = Fencing.refusal(verify.id(), known, verify.who());
        if (refusal != null) {
            return refusal;
        }
        if (known.status().finishing()) {
            return Step.park();
        }
        if (known.status() == TxnStatus.ONGOING && known.partitions().containsAll(verify.partitions())) {
            return Step.answer(known.current());
        }
        return Step.refuse(
                TxnError.INVALID_STATE,
                "the open transaction of " + verify.id() + " does not include " + verify.partitions()
                        + "; add the partitions first");
    }
}
