package io.millrace.streams.runtime;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The clock and the pauses of the runtime: the only place that asks the machine for them. */
final class SystemTime {
    private SystemTime() {}

    static long wallMs() {
        return System.currentTimeMillis();
    }

    /** For measuring spans; never goes back. */
    static long monotonicMs() {
        return System.nanoTime() / 1_000_000;
    }

    /** Sleeps at least this long, also if interrupted: workers are stopped by a flag, not by interrupts. */
    static void pause(Duration duration) {
        long untilNanos = System.nanoTime() + duration.toNanos();
        long leftNanos = duration.toNanos();
        while (leftNanos > 0) {
            LockSupport.parkNanos(leftNanos);
            leftNanos = untilNanos - System.nanoTime();
        }
    }
}
