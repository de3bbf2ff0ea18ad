package io.millrace.streams.runtime;

import java.time.Duration;

/**
 * The times of a job.
 *
 * @param commitInterval how long outputs wait for their commit at most
 * @param transactionTimeout after which the coordinator aborts for a worker that fell silent; an orphan's partitions
 *     are free after this at the latest
 * @param sessionTimeout after which the group gives a silent member's partitions to others
 */
public record Timing(Duration commitInterval, Duration transactionTimeout, Duration sessionTimeout) {
    public static final Timing DEFAULT =
            new Timing(Duration.ofMillis(100), Duration.ofSeconds(10), Duration.ofSeconds(10));

    public Timing {
        if (commitInterval.isNegative() || commitInterval.compareTo(transactionTimeout) >= 0) {
            throw new IllegalArgumentException("the commit interval must be below the transaction timeout %s, found %s"
                    .formatted(transactionTimeout, commitInterval));
        }
    }

    public Timing commitInterval(Duration interval) {
        return new Timing(interval, transactionTimeout, sessionTimeout);
    }

    public Timing transactionTimeout(Duration timeout) {
        return new Timing(commitInterval, timeout, sessionTimeout);
    }
}
