package io.millrace.streams.runtime;

import java.time.Duration;

/** Pauses that grow from attempt to attempt up to a limit, and begin anew after a success. */
final class Backoff {
    private static final Duration FIRST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private Duration next = FIRST;

    void pause() {
        SystemTime.pause(next);
        next = next.multipliedBy(2).compareTo(LONGEST) < 0 ? next.multipliedBy(2) : LONGEST;
    }

    void reset() {
        next = FIRST;
    }
}
