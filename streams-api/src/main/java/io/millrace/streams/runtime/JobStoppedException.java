package io.millrace.streams.runtime;

/** The job cannot go on, and going on without being asked would lose or skip something. */
public final class JobStoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public JobStoppedException(String message) {
        super(message);
    }

    public JobStoppedException(String message, Throwable cause) {
        super(message, cause);
    }
}
