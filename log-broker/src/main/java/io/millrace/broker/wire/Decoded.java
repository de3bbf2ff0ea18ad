package io.millrace.broker.wire;

/** What a frame turned out to be. */
public sealed interface Decoded {

    /** A request of a version that is served. */
    record Understood(Request request) implements Decoded {}

    /**
     * A request whose header could be read but whose version is not served. Clients that ask for a newer ApiVersions
     * than we know expect an answer in version 0, so that they can choose again (KIP-511).
     */
    record UnsupportedVersion(short apiKey, short version, int correlationId) implements Decoded {}

    /** Bytes that are not a request; nothing sensible can be answered. */
    record Malformed(String why) implements Decoded {}
}
