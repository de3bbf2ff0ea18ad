package io.millrace.kernel;

/** A fault of the network that a caller can act upon: an address that cannot be bound. */
public final class NetworkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NetworkException(String message, Throwable cause) {
        super(message, cause);
    }
}
