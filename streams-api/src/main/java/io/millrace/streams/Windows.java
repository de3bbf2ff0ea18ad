package io.millrace.streams;

import java.time.Duration;

/** Ways of cutting event time into windows. */
public final class Windows {
    private Windows() {}

    /** Windows of one size, side by side from the epoch on, without grace. */
    public static Tumbling tumbling(Duration size) {
        return new Tumbling(size, Duration.ZERO);
    }

    /**
     * Windows of one size, side by side.
     *
     * @param size length of a window
     * @param grace how long after its end, in event time, a window still takes records; one that comes later is
     *     dropped and counted as late
     */
    public record Tumbling(Duration size, Duration grace) {
        public Tumbling {
            if (size.toMillis() <= 0) {
                throw new IllegalArgumentException("a window must be at least 1 ms long, found " + size);
            }
            if (grace.isNegative()) {
                throw new IllegalArgumentException("grace must not be negative, found " + grace);
            }
        }

        public Tumbling grace(Duration grace) {
            return new Tumbling(size, grace);
        }

        public long startMs(long timestampMs) {
            return timestampMs - Math.floorMod(timestampMs, size.toMillis());
        }
    }
}
