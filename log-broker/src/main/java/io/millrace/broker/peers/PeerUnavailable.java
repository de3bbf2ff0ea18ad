package io.millrace.broker.peers;

/** Another broker gave no answer; whether what was asked has happened is not known. */
public final class PeerUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PeerUnavailable(String message) {
        super(message, null, false, false);
    }
}
