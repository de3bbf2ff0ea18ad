package io.millrace.streams.state;

/** A key's new value, or null for its removal. Not a record, since arrays are compared by identity. */
public final class Change {
    private final byte[] key;
    private final byte[] value;

    public Change(byte[] key, byte[] value) {
        this.key = key;
        this.value = value;
    }

    public byte[] key() {
        return key;
    }

    public byte[] value() {
        return value;
    }
}
