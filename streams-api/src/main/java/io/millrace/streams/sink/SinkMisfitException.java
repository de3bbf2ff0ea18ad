package io.millrace.streams.sink;

/** The place is there and refuses the work as such: a missing table, a wrong statement. A person has to change something. */
public final class SinkMisfitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SinkMisfitException(String message, Throwable cause) {
        super(message, cause);
    }
}
