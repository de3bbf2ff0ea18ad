package io.millrace.acceptance.broker;

import java.util.concurrent.TimeUnit;

/** The longest time without an acknowledgement. Any thread. */
final class AckClock {
    private long lastNanos = System.nanoTime();
    private long longestNanos;

    synchronized void acknowledged() {
        long now = System.nanoTime();
        longestNanos = Math.max(longestNanos, now - lastNanos);
        lastNanos = now;
    }

    /** Forgets what was before. */
    synchronized void begin() {
        longestNanos = 0;
        lastNanos = System.nanoTime();
    }

    /** Since it began, the time that is not over yet included. */
    synchronized long longestMs() {
        return TimeUnit.NANOSECONDS.toMillis(Math.max(longestNanos, System.nanoTime() - lastNanos));
    }
}
