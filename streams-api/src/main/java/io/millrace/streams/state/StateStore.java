package io.millrace.streams.state;

import java.util.List;

/** A sorted map of bytes, as operators see it: their own writes included, committed or not. */
public interface StateStore {
    /** Null if there is none. */
    byte[] get(byte[] key);

    void put(byte[] key, byte[] value);

    void remove(byte[] key);

    /** Keys in {@code [from, to)}, compared as unsigned bytes, in order, at most {@code limit} of them. */
    List<byte[]> keys(byte[] from, byte[] to, int limit);
}
