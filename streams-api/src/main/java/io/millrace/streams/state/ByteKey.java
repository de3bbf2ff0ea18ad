package io.millrace.streams.state;

import java.util.Arrays;

/** A key of a hash map, compared by what its bytes are; nobody may change them any more. */
public final class ByteKey {
    private final byte[] bytes;
    private final int hash;

    public ByteKey(byte[] bytes) {
        this.bytes = bytes;
        this.hash = Arrays.hashCode(bytes);
    }

    public byte[] bytes() {
        return bytes;
    }

    /** In {@code [from, to)}, compared as unsigned bytes. */
    boolean isWithin(byte[] from, byte[] to) {
        return Arrays.compareUnsigned(bytes, from) >= 0 && Arrays.compareUnsigned(bytes, to) < 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ByteKey key && hash == key.hash && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
