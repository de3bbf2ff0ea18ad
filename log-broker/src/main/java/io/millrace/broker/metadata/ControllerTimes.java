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

    public ControllerTimes {
        if (sessionTimeoutMs < 1 || balanceIntervalMs < 1) {
            throw new IllegalArgumentException("a session time-out of " + sessionTimeoutMs + " ms and a check every "
                    + balanceIntervalMs + " ms; both must be at least 1");
        }
    }

    public static ControllerTimes of(Values broker) {
        return new ControllerTimes(
                broker.number(BrokerSettings.BROKER_SESSION_TIMEOUT_MS),
                broker.flag(BrokerSettings.AUTO_LEADER_REBALANCE),
                broker.number(BrokerSettings.LEADER_IMBALANCE_CHECK_SECONDS) * SECOND_MS);
    }
}
