package io.millrace.kernel;

import java.util.function.Supplier;

/** Invariants of the code: when one is broken, going on would spread the damage. */
public final class Check {
    private Check() {}

    /** Stops the caller with what was expected and found. */
    public static void that(boolean holds, Supplier<String> expectedAndFound) {
        if (!holds) {
            throw new BrokenInvariant(expectedAndFound.get());
        }
    }

    /** An invariant of the code does not hold; the node must stop. */
    public static final class BrokenInvariant extends RuntimeException {
        private static final long serialVersionUID = 1L;

        BrokenInvariant(String message) {
            super(message);
        }
    }
}
