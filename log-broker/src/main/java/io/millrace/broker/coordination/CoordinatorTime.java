package io.millrace.broker.coordination;

import io.millrace.kernel.Clock;

/**
 * The time by which a coordinator measures sessions and transactions. It begins with the wall clock, since the log in
 * which it stands outlives the machine, and goes on with the monotonic one: whoever sets the wall clock ends nothing
 * early, and keeps nothing open. A coordinator whose wall clock is behind that of its predecessor begins where the log
 * ends.
 */
final class CoordinatorTime {
    private final Clock clock;
    private long aheadOfMonotonicMs;

    CoordinatorTime(Clock clock) {
        this.clock = clock;
        this.aheadOfMonotonicMs = clock.wallMs() - clock.monotonicMs();
    }

    /** It is at least this late. */
    void notBefore(long ms) {
        aheadOfMonotonicMs = Math.max(aheadOfMonotonicMs, ms - clock.monotonicMs());
    }

    long nowMs() {
        return aheadOfMonotonicMs + clock.monotonicMs();
    }
}
