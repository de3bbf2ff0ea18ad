package io.millrace.streams.state;

/** The disk under a store failed. */
public final class StateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StateException(String message, Throwable cause) {
        super(message, cause);
    }
}
