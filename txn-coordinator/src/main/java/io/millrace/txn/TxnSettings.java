package io.millrace.txn;

/**
 * @param maxTimeoutMs the longest transaction that a producer may ask for
 * @param idExpirationMs how long an idle transactional id is kept
 * @param epochLimit the highest epoch that a producer may write with; after it a new producer id is given
 * @param parkMs how long a command waits at most for the end of the last transaction
 */
public record TxnSettings(int maxTimeoutMs, long idExpirationMs, short epochLimit, long parkMs) {
    private static final long DEFAULT_PARK_MS = 20_000;

    public TxnSettings {
        if (epochLimit < 1 || epochLimit == Short.MAX_VALUE) {
            throw new IllegalArgumentException("epochLimit is " + epochLimit + "; allowed: 1 to 32766, because markers "
                    + "carry the epoch after the last one");
        }
    }

    public TxnSettings(int maxTimeoutMs, long idExpirationMs, short epochLimit) {
        this(maxTimeoutMs, idExpirationMs, epochLimit, DEFAULT_PARK_MS);
    }
}
