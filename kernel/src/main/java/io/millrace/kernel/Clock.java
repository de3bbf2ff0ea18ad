package io.millrace.kernel;

/** Time as the code may see it: the wall for timestamps, a monotonic reading for durations. */
public interface Clock {

    /** Milliseconds since 1970-01-01 UTC; may jump when the machine's clock is set. */
    long wallMs();

    /** Milliseconds from an arbitrary origin; never goes back. */
    long monotonicMs();
}
