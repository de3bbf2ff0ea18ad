package io.millrace.simulator.client;

import org.apache.kafka.common.protocol.Errors;

/** An answer that trying again does not change. */
public final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Errors error;

    public Refused(String what, Errors error) {
        super(what + ": " + error, null, false, false);
        this.error = error;
    }

    public Errors error() {
        return error;
    }
}
