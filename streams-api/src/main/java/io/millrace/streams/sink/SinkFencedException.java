package io.millrace.streams.sink;

/** Another owner has taken the partition over; nothing of this batch was written. */
public final class SinkFencedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SinkFencedException(String message) {
        super(message);
    }
}
