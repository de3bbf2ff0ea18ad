package io.millrace.streams.sink;

/** A place outside the log that keeps rows and offsets in one transaction of its own. A value: it holds no connection. */
public interface Sink<K, V> {
    /** For people: what kind of place, and where; without passwords. */
    String describe();

    /** Connects nothing yet: trouble with the place shows when the writer is used, and is waited out there. */
    SinkWriter<K, V> open(SinkIdentity identity);
}
