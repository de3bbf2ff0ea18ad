package io.millrace.broker.settings;

/** A setting that does not exist or a value that is not allowed; the message is for the person who set it. */
public final class InvalidSetting extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public InvalidSetting(String message) {
        super(message);
    }
}
