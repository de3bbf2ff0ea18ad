package io.millrace.streams.runtime;

/** A record was refused by the log. Says which one, and which input it comes from (null for a changelog). */
final class WriteFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Origin origin;
    private final String topic;

    WriteFailedException(String topic, Origin origin, Exception cause) {
        super("a record for topic %s was refused: %s".formatted(topic, cause.getMessage()), cause);
        this.topic = topic;
        this.origin = origin;
    }

    String topic() {
        return topic;
    }

    Origin origin() {
        return origin;
    }
}
