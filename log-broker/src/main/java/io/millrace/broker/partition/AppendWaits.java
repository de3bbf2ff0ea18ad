package io.millrace.broker.partition;

import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayDeque;
import java.util.Iterator;
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

    /** Gives up on what is overdue. @return the earliest deadline left; {@link Long#MAX_VALUE} for none */
    long expire(long nowMs) {
        long earliestMs = Long.MAX_VALUE;
        for (Queue<Wait> waits : List.of(forOwnLog, forReplicas)) {
            for (Iterator<Wait> all = waits.iterator(); all.hasNext(); ) {
                Wait wait = all.next();
                if (wait.deadlineMs() <= nowMs) {
                    all.remove();
                    wait.reply().accept(ErrorCode.REQUEST_TIMED_OUT);
                } else {
                    earliestMs = Math.min(earliestMs, wait.deadlineMs());
                }
            }
        }
        return earliestMs;
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
