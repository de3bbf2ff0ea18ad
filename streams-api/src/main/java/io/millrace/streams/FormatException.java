package io.millrace.streams;

/** Bytes that are no value of a format, or a value that has no bytes. Trying again cannot help. */
public final class FormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public FormatException(String message) {
        super(message);
    }

    public FormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
