package io.millrace.txn;

/**
 * Where a transaction stands. The numbers are recorded and must not change.
 *
 * <pre>
 * EMPTY, COMPLETE_*  --first partition-->  ONGOING
 * ONGOING            --commit-->           PREPARE_COMMIT  --markers written-->  COMPLETE_COMMIT
 * ONGOING            --abort, timeout, replaced-->  PREPARE_ABORT  --markers written-->  COMPLETE_ABORT
 * COMPLETE_*         --new instance-->     EMPTY
 * </pre>
 */
public enum TxnStatus {
    EMPTY(0, "Empty"),
    ONGOING(1, "Ongoing"),
    PREPARE_COMMIT(2, "PrepareCommit"),
    PREPARE_ABORT(3, "PrepareAbort"),
    COMPLETE_COMMIT(4, "CompleteCommit"),
    COMPLETE_ABORT(5, "CompleteAbort");

    private final int number;
    private final String title;

    TxnStatus(int number, String title) {
        this.number = number;
        this.title = title;
    }

    int number() {
        return number;
    }

    /** The name that clients see. */
    public String title() {
        return title;
    }

    static TxnStatus of(int number) {
        for (TxnStatus status : values()) {
            if (status.number == number) {
                return status;
            }
        }
        throw new IllegalArgumentException("no transaction status has the number " + number);
    }

    /** Decided, but not everybody knows yet. */
    public boolean finishing() {
        return this == PREPARE_COMMIT || this == PREPARE_ABORT;
    }

    /** Open, or decided without everybody knowing yet. */
    public boolean busy() {
        return this == ONGOING || finishing();
    }

    static TxnStatus prepare(boolean commit) {
        return commit ? PREPARE_COMMIT : PREPARE_ABORT;
    }

    static TxnStatus complete(boolean commit) {
        return commit ? COMPLETE_COMMIT : COMPLETE_ABORT;
    }
}
