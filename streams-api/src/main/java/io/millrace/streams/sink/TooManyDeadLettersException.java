package io.millrace.streams.sink;

/** The batch has more bad records than the budget allows; nothing of it was written, and the job has to stop. */
public final class TooManyDeadLettersException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TooManyDeadLettersException(String message, Throwable cause) {
        super(message, cause);
    }
}
