package io.millrace.streams.plan;

/** A job that contradicts itself. The message says where, and what to change. */
public final class InvalidJobException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public InvalidJobException(String message) {
        super(message);
    }
}
