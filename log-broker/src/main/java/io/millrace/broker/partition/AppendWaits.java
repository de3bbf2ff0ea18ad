package io.millrace.broker.partition;

import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;

/** Acknowledgements that wait until their records are stored here, or on all in-sync replicas. */
final class AppendWaits {
    private final Queue<Wait> forOwnLog = new ArrayDeque<>();
    private final Queue<Wait> forReplicas = new ArrayDeque<>();

    void add(Wait wait) {
        (wait.allReplicas() ? forReplicas : forOwnLog).add(wait);
    }

    /** Acknowledges everything below these offsets. */
    void complete(long stored, long highWatermark) {
        complete(forOwnLog, stored);
        complete(forReplicas, highWatermark);
    }

    private static void complete(Queue<Wait> waits, long upTo) {
        // A repeated batch waits for an old offset behind newer ones, so the whole queue may have to be looked at.
        if (!waits.isEmpty()) {
            waits.removeIf(wait -> {
                boolean done = wait.endOffset() <= upTo;
                if (done) {
                    wait.reply().accept(ErrorCode.NONE);
                }
                return done;
            });
        }
    }

    /** The earliest moment at which somebody's patience ends; {@link Long#MAX_VALUE} for none. */
    long earliestDeadlineMs() {
        return Math.min(earliestDeadlineMs(forOwnLog), earliestDeadlineMs(forReplicas));
    }

    private static long earliestDeadlineMs(Queue<Wait> waits) {
        long earliestMs = Long.MAX_VALUE;
        for (Wait wait : waits) { // asked for after every batch of messages
            earliestMs = Math.min(earliestMs, wait.deadlineMs());
        }
        return earliestMs;
    }

    /** Gives up on what is overdue; the records stay in the log. */
    void expire(long nowMs) {
        for (Queue<Wait> waits : List.of(forOwnLog, forReplicas)) {
            waits.removeIf(wait -> {
                boolean overdue = wait.deadlineMs() <= nowMs;
                if (overdue) {
                    wait.reply().accept(ErrorCode.REQUEST_TIMED_OUT);
                }
                return overdue;
            });
        }
    }

    void fail(ErrorCode why) {
        for (Queue<Wait> waits : List.of(forOwnLog, forReplicas)) {
            while (!waits.isEmpty()) {
                waits.remove().reply().accept(why);
            }
        }
    }

    /** @param endOffset the offset behind the last record that must be stored */
    record Wait(long endOffset, boolean allReplicas, long deadlineMs, Consumer<ErrorCode> reply) {}
}
