package io.millrace.broker.log;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The last offset of each key in a part of a log. A key is known by 128 bits of a cryptographic hash, so a key costs
 * the same whatever its length, and two keys are never taken for one.
 */
final class KeyOffsets {
    private static final int SLOT = 3;
    private static final int SMALLEST = 1 << 10;

    private final int maxKeys;
    private final MessageDigest digest;
    /** Three numbers a slot: two of hash, and the offset plus one; 0 where the slot is free. */
    private long[] slots = new long[SMALLEST * SLOT];

    private int size;

    /** Memory grows with the keys, up to 48 bytes for each of the most. */
    KeyOffsets(int maxKeys) {
        this.maxKeys = maxKeys;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    boolean isFull() {
        return size >= maxKeys;
    }

    /** Offsets come in ascending order. */
    void put(ByteBuffer key, long offset) {
        if (size * 2 >= slots.length / SLOT) {
            grow();
        }
        ByteBuffer hash = hash(key);
        put(hash.getLong(0), hash.getLong(8), offset + 1);
    }

    private void put(long high, long low, long offsetPlusOne) {
        int slot = find(high, low);
        if (slots[slot + 2] == 0) {
            slots[slot] = high;
            slots[slot + 1] = low;
            size++;
        }
        slots[slot + 2] = offsetPlusOne;
    }

    /** -1 where the key does not occur. */
    long last(ByteBuffer key) {
        ByteBuffer hash = hash(key);
        return slots[find(hash.getLong(0), hash.getLong(8)) + 2] - 1;
    }

    private ByteBuffer hash(ByteBuffer key) {
        digest.update(key.duplicate());
        return ByteBuffer.wrap(digest.digest());
    }

    /** The slot of a hash, or the free one where it belongs. */
    private int find(long high, long low) {
        int mask = slots.length / SLOT - 1;
        int index = (int) high & mask;
        while (slots[index * SLOT + 2] != 0 && (slots[index * SLOT] != high || slots[index * SLOT + 1] != low)) {
            index = (index + 1) & mask;
        }
        return index * SLOT;
    }

    private void grow() {
        long[] old = slots;
        slots = new long[old.length * 2];
        size = 0;
        for (int slot = 0; slot < old.length; slot += SLOT) {
            if (old[slot + 2] != 0) {
                put(old[slot], old[slot + 1], old[slot + 2]);
            }
        }
    }
}
