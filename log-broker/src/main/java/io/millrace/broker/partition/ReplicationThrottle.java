package io.millrace.broker.partition;

import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.metadata.TopicDefaults;
import io.millrace.broker.replication.ReplicationQuota;
import io.millrace.broker.settings.BrokerSettings;
import io.millrace.kernel.Clock;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * One side of the throttle of replication (KIP-73): what a broker sends as a leader, or takes in as a follower. Any
 * thread.
 *
 * <p>Only the copying to replicas that are not in sync is throttled, and only that counts: what in-sync replicas fetch is
 * as much as producers write, and everybody waits for it.
 */
public final class ReplicationThrottle {
    /** Meanwhile the rate may be raised, and a replica come to be in sync. */
    private static final long LOOK_AGAIN_MS = 50;

    private final ReplicationQuota quota;
    private final Predicate<Partition> throttled;
    private final Supplier<ClusterImage> image;

    private ReplicationThrottle(
            Clock clock,
            TopicDefaults defaults,
            Supplier<ClusterImage> image,
            String rate,
            Predicate<Partition> throttled) {
        this.quota = new ReplicationQuota(clock, () -> defaults.of(image.get()).large(rate));
        this.throttled = throttled;
        this.image = image;
    }

    /** What a broker sends to its followers. */
    public static ReplicationThrottle ofLeader(Clock clock, TopicDefaults defaults, Supplier<ClusterImage> image) {
        return new ReplicationThrottle(
                clock, defaults, image, BrokerSettings.LEADER_THROTTLED_RATE, Partition::isThrottledAsLeader);
    }

    /** What it takes in from the leaders that it follows. */
    public static ReplicationThrottle ofFollower(Clock clock, TopicDefaults defaults, Supplier<ClusterImage> image) {
        return new ReplicationThrottle(
                clock, defaults, image, BrokerSettings.FOLLOWER_THROTTLED_RATE, Partition::isThrottledAsFollower);
    }

    /** Whether the copying of a partition to a replica is throttled. */
    public boolean covers(Partition partition, int replica) {
        if (!throttled.test(partition)) {
            return false;
        }
        PartitionImage known =
                image.get().partition(partition.name().topic(), partition.name().partition());
        return known == null || !known.inSync().contains(replica);
    }

    /** After how long to see again whether what is covered may be copied; 0 when it may be now. */
    public long waitMs() {
        return Math.min(quota.waitMs(), LOOK_AGAIN_MS);
    }

    /** Counts what was copied of a partition that is covered. */
    public void copied(long sizeBytes) {
        quota.copied(sizeBytes);
    }
}
