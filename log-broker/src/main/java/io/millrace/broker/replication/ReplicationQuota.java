package io.millrace.broker.replication;

import io.millrace.kernel.Clock;
import java.util.function.LongSupplier;

/**
 * How fast throttled replicas are copied, on one side of the copying (KIP-73); shared by all threads of a broker.
 *
 * <p>What was copied is a debt, which is paid off at the rate; while some of it is left, nothing more is to be copied. So
 * the rate is kept on average however large a single answer is, and another rate holds from the moment it is set.
 */
public final class ReplicationQuota {
    private static final double SECOND_MS = 1_000;

    private final Clock clock;
    private final LongSupplier bytesPerSecond;
    private double owedBytes;
    private long countedMs;

    /** @param bytesPerSecond the rate of the moment */
    public ReplicationQuota(Clock clock, LongSupplier bytesPerSecond) {
        this.clock = clock;
        this.bytesPerSecond = bytesPerSecond;
        this.countedMs = clock.monotonicMs();
    }

    public synchronized void copied(long sizeBytes) {
        owedBytes = leftBytes() + sizeBytes;
        countedMs = clock.monotonicMs();
    }

    /** How long nothing is to be copied, at the rate of the moment: 0 when the rate is kept. */
    public synchronized long waitMs() {
        double leftBytes = leftBytes();
        return leftBytes == 0 ? 0 : (long) (leftBytes * SECOND_MS / bytesPerSecond.getAsLong());
    }

    private double leftBytes() {
        if (owedBytes == 0) {
            return 0; // as long as nothing is throttled
        }
        double paidBytes = (clock.monotonicMs() - countedMs) / SECOND_MS * bytesPerSecond.getAsLong();
        return Math.max(0, owedBytes - paidBytes);
    }
}
