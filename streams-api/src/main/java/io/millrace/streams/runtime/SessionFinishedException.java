package io.millrace.streams.runtime;

/** This member or producer has been replaced or cannot be used any more; a new session goes on from the last commit. */
final class SessionFinishedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SessionFinishedException(String message, Throwable cause) {
        super(message, cause);
    }
}
