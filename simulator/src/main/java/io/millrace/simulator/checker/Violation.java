package io.millrace.simulator.checker;

/** Something that must never happen has happened. */
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Violation(String invariant, String found) {
        super(invariant + ": " + found);
    }

    public Violation(String invariant, Throwable found) {
        super(invariant + ": " + found, found);
    }
}
