package io.millrace.broker.api;

/** Where a setting's value comes from, as the protocol numbers it. */
enum Source {
    TOPIC(1),
    DYNAMIC_BROKER(2),
    DYNAMIC_DEFAULT(3),
    STATIC_BROKER(4),
    DEFAULT(5);

    private final byte code;

    Source(int code) {
        this.code = (byte) code;
    }

    byte code() {
        return code;
    }
}
