package io.millrace.simulator;

import io.millrace.broker.settings.BrokerSettings;
import io.millrace.broker.settings.TopicSettings;
import io.millrace.simulator.workload.Load;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * What a seed makes of a cluster.
 *
 * @param forced whether records are forced to disk before they count, so that the power may fail anywhere at any time
 * @param settings of every broker
 * @param onlyEnds whether processes come and go, and nothing else is wrong
 * @param faultsMs for how long there are faults
 */
record Plan(
        int brokers, int partitions, boolean forced, Map<String, String> settings, boolean onlyEnds, long faultsMs) {
    static final int REPLICAS = 3;

    static Plan of(SplittableRandom random) {
        boolean forced = random.nextInt(3) == 0;
        int session = random.nextInt(1_500, 6_000);
        Map<String, String> settings = new TreeMap<>();
        set(settings, BrokerSettings.SHARDS, random.nextInt(1, 4));
        set(settings, BrokerSettings.OFFSETS_PARTITIONS, random.nextInt(1, 3));
        set(settings, BrokerSettings.TRANSACTION_PARTITIONS, random.nextInt(1, 3));
        set(settings, BrokerSettings.GROUP_MIN_SESSION_TIMEOUT_MS, Load.MIN_SESSION_MS);
        set(settings, BrokerSettings.GROUP_INITIAL_REBALANCE_DELAY_MS, random.nextInt(0, 600));
        set(settings, BrokerSettings.DEFAULT_REPLICATION_FACTOR, REPLICAS);
        set(settings, BrokerSettings.BROKER_SESSION_TIMEOUT_MS, session);
        set(settings, BrokerSettings.BROKER_HEARTBEAT_INTERVAL_MS, session / 4);
        set(settings, BrokerSettings.REPLICA_LAG_TIME_MAX_MS, random.nextInt(600, 5_000));
        set(settings, BrokerSettings.REPLICA_STALL_TIME_MAX_MS, session / 5);
        set(settings, BrokerSettings.CHECKPOINT_INTERVAL_MS, random.nextInt(1_000, 30_000));
        set(settings, BrokerSettings.LEADER_IMBALANCE_CHECK_SECONDS, random.nextInt(1, 20));
        set(settings, TopicSettings.MIN_INSYNC_REPLICAS, 2);
        set(settings, "log.flush.policy", forced ? "force" : "os");
        set(settings, "log.retention.ms", -1);
        if (random.nextBoolean()) {
            set(settings, "log.segment.bytes", random.nextInt(1_024, 20_000));
        }
        int brokers = random.nextInt(3, 6);
        int partitions = random.nextInt(1, 4);
        return new Plan(brokers, partitions, forced, settings, random.nextInt(4) == 0, faultsMs(random));
    }

    /** After this a broker that is not heard of is fenced. */
    long sessionMs() {
        return Long.parseLong(settings.get(BrokerSettings.BROKER_SESSION_TIMEOUT_MS));
    }

    /** Mostly short: whether all is accounted for, and the cluster becomes whole again, is seen at the end of a run alone. */
    private static long faultsMs(SplittableRandom random) {
        return random.nextInt(3) == 0 ? random.nextLong(10_000, 40_000) : random.nextLong(2_000, 10_000);
    }

    private static void set(Map<String, String> settings, String name, Object value) {
        settings.put(name, String.valueOf(value));
    }
}
