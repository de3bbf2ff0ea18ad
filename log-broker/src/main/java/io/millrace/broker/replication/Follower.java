package io.millrace.broker.replication;

/**
 * A replica that fetches, as its leader sees it.
 *
 * <p>One that stalls is left out of the in-sync set soon, for everybody waits for it, and let in again when it has not
 * stalled for a while. That while grows each time, or else a process that sleeps for some seconds again and again would
 * be taken in and left out for ever.
 */
final class Follower {
    static final long UNKNOWN_BROKER_EPOCH = -1;

    private static final long NEVER = Long.MIN_VALUE;
    private static final int FIRST_FETCH = 3;

    private long brokerEpoch = UNKNOWN_BROKER_EPOCH;
    private long end = -1;
    private long fetchedMs;
    private long leaderEndThen;
    private long caughtUpMs;
    private long waitedForSinceMs = NEVER;
    private long inSyncSinceMs = NEVER;
    private long steadySinceMs;
    private int strikes;

    Follower(long leaderEnd, long nowMs) {
        fetchedMs = nowMs;
        caughtUpMs = nowMs;
        hasSomethingToAskFor(leaderEnd, nowMs);
    }

    long brokerEpoch() {
        return brokerEpoch;
    }

    /** It has everything below; -1 before its first fetch. */
    long end() {
        return end;
    }

    void hasSomethingToAskFor(long leaderEnd, long nowMs) {
        if (waitedForSinceMs == NEVER && end < leaderEnd) {
            waitedForSinceMs = nowMs;
        }
    }

    void fetched(long epoch, long offset, long leaderEnd, long nowMs) {
        if (epoch != brokerEpoch) {
            strikes = 0; // another process
        }
        brokerEpoch = epoch;
        if (offset >= leaderEnd) {
            caughtUpMs = nowMs;
            waitedForSinceMs = NEVER;
        } else {
            if (offset >= leaderEndThen && fetchedMs > caughtUpMs) {
                caughtUpMs = fetchedMs; // it has all that was there when it asked last
            }
            if (offset != end || waitedForSinceMs == NEVER) {
                waitedForSinceMs = nowMs;
            }
        }
        end = offset;
        fetchedMs = nowMs;
        leaderEndThen = leaderEnd;
    }

    void inSync(boolean now, long nowMs) {
        if (!now) {
            inSyncSinceMs = NEVER;
        } else if (inSyncSinceMs == NEVER) {
            inSyncSinceMs = nowMs;
            forgive(nowMs); // it is waited for from now on
        }
    }

    /** For how long it has asked for nothing at all. */
    long quietMs(long nowMs) {
        return nowMs - fetchedMs;
    }

    /** For how long it has asked for nothing new, although there was something. */
    long silentMs(long nowMs) {
        return waitedForSinceMs == NEVER ? 0 : nowMs - waitedForSinceMs;
    }

    /** Before its first fetch it gets more time: it has to hear of its leader first. */
    boolean stalls(LagLimits limits, long nowMs) {
        return silentMs(nowMs) > limits.stallMs() * (end < 0 ? FIRST_FETCH : 1);
    }

    boolean isBehind(long ownEnd, LagLimits limits, long nowMs) {
        return end < ownEnd && nowMs - caughtUpMs > limits.maxLagMs();
    }

    boolean hasAll(long highWatermark, long epochStart) {
        return end >= highWatermark && end >= epochStart;
    }

    void leftOut(LagLimits limits, long nowMs) {
        boolean longAgo = inSyncSinceMs != NEVER && nowMs - inSyncSinceMs > limits.forgivenMs();
        strikes = longAgo ? 1 : strikes + 1;
        steadySinceMs = nowMs;
    }

    void proveItself(LagLimits limits, long nowMs) {
        if (stalls(limits, nowMs)) {
            steadySinceMs = nowMs;
        }
    }

    boolean hasProvedItself(LagLimits limits, long nowMs) {
        return nowMs - steadySinceMs >= limits.proofMs(strikes);
    }

    void forgive(long nowMs) {
        if (waitedForSinceMs != NEVER) {
            waitedForSinceMs = nowMs;
        }
    }
}
