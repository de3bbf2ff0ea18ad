package io.millrace.kernel;

import java.util.Optional;

/**
 * How a machine's events look in a compacted log: the newest record of a key replaces the older ones, and a record
 * without a value removes the key. An event must therefore carry the whole new value of its key.
 */
public interface EventCodec<E> {

    /** The record of an event; empty for one that a restart may forget (a member's heart-beat, say). */
    Optional<Entry> encode(E event);

    /**
     * Reads a record back.
     *
     * @throws IllegalArgumentException when the bytes are not a record of this codec
     */
    E decode(Entry entry);

    /** Key and value of a record; the value is null where the key is removed. */
    record Entry(byte[] key, byte[] value) {}
}
