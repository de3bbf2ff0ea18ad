package io.millrace.broker.log;

/** Bytes that should be records are not. */
public final class CorruptBatchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CorruptBatchException(String message) {
        super(message);
    }

    public CorruptBatchException(String message, Throwable cause) {
        super(message, cause);
    }
}
