package io.millrace.streams.sink;

/** The place cannot be reached, or could not decide. Nothing is known to have been written; try again. */
public final class SinkUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SinkUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
