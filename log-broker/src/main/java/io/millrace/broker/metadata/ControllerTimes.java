package io.millrace.broker.metadata;

import io.millrace.broker.settings.BrokerSettings;
import io.millrace.broker.settings.Values;

/**
 * The controller's own settings.
 *
 * @param sessionTimeoutMs how long a broker may be silent before it is fenced
 * @param autoBalance whether preferred leaders are restored in the background
 * @param balanceIntervalMs how often
 */
public record ControllerTimes(long sessionTimeoutMs, boolean autoBalance, long balanceIntervalMs) {
    private static final long SECOND_MS = 1000;
    private static final int SHARE_GONE = 4;

    public ControllerTimes {
        if (sessionTimeoutMs < 1 || balanceIntervalMs < 1) {
            throw new IllegalArgumentException("a session time-out of " + sessionTimeoutMs + " ms and a check every "
                    + balanceIntervalMs + " ms; both must be at least 1");
        }
    }

    /** To a new controller it is as if all brokers had been heard of this long ago: for about that long there was none. */
    static long goneMs(long sessionTimeoutMs) {
        return sessionTimeoutMs / SHARE_GONE;
    }

    /**
     * How long a broker is not fenced for its silence, whoever is the controller: a new one takes a quarter of the session
     * for gone, and an old one may have answered for a moment after its time.
     */
    public static long leastSessionMs(long sessionTimeoutMs) {
        return sessionTimeoutMs - 2 * goneMs(sessionTimeoutMs);
    }

    public static ControllerTimes of(Values broker) {
        return new ControllerTimes(
                broker.number(BrokerSettings.BROKER_SESSION_TIMEOUT_MS),
                broker.flag(BrokerSettings.AUTO_LEADER_REBALANCE),
                broker.number(BrokerSettings.LEADER_IMBALANCE_CHECK_SECONDS) * SECOND_MS);
    }
}
