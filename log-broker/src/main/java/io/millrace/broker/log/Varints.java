package io.millrace.broker.log;

import java.nio.ByteBuffer;

/** Zigzag integers of variable length, as records use them. */
final class Varints {
    private Varints() {}

    static int readInt(ByteBuffer from) {
        long value = readLong(from);
        if (value != (int) value) {
            throw new CorruptBatchException("a number of a record does not fit 32 bits: " + value);
        }
        return (int) value;
    }

    static long readLong(ByteBuffer from) {
        long raw = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = from.get();
            raw |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return (raw >>> 1) ^ -(raw & 1);
            }
        }
        throw new CorruptBatchException("a number of a record does not end within 10 bytes");
    }

    static void write(ByteBuffer into, long value) {
        long raw = (value << 1) ^ (value >> 63);
        while ((raw & ~0x7fL) != 0) {
            into.put((byte) ((raw & 0x7f) | 0x80));
            raw >>>= 7;
        }
        into.put((byte) raw);
    }

    static int size(long value) {
        long raw = (value << 1) ^ (value >> 63);
        return raw == 0 ? 1 : (Long.SIZE - Long.numberOfLeadingZeros(raw) + 6) / 7;
    }
}
