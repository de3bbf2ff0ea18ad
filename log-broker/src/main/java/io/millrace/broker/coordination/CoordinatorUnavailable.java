package io.millrace.broker.coordination;

import io.millrace.broker.wire.ErrorCode;

/** A coordinator cannot answer now; the code tells the client whether to wait or to look elsewhere. */
public final class CoordinatorUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    public CoordinatorUnavailable(ErrorCode code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }
}
