package io.millrace.kernel;

import java.util.UUID;

/** Chance: the only source of random numbers and new identities. */
public interface Entropy {

    long nextLong();

    /** Uniform in [0, bound). */
    int nextInt(int bound);

    /** A random (version 4) UUID. */
    default UUID uuid() {
        long high = (nextLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x4000L;
        long low = (nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }
}
