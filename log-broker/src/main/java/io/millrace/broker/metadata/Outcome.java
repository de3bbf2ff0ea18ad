package io.millrace.broker.metadata;

import io.millrace.broker.wire.ErrorCode;

/** An answer of the controller: a value, or why not. */
public sealed interface Outcome<T> {

    record Done<T>(T value) implements Outcome<T> {}

    record Refused<T>(ErrorCode error, String message) implements Outcome<T> {}

    static <T> Outcome<T> refused(ErrorCode error, String message) {
        return new Refused<>(error, message);
    }

    default ErrorCode error() {
        return this instanceof Refused<T> refused ? refused.error() : ErrorCode.NONE;
    }

    /** Why not, or null. */
    default String message() {
        return this instanceof Refused<T> refused ? refused.message() : null;
    }
}
