package io.millrace.broker.log;

/** What became of an append. */
public sealed interface Appended {

    /** @param logAppendTimeMs the timestamp given to the records, or -1 where they keep their own */
    record Accepted(long firstOffset, long lastOffset, long logAppendTimeMs) implements Appended {}

    /** The log has it already; to the sender this is success. */
    record Duplicate(long firstOffset, long lastOffset, long logAppendTimeMs) implements Appended {}

    /** Nothing was written. */
    record Refused(Refusal reason, String message) implements Appended {}
}
