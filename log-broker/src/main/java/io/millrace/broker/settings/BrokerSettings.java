package io.millrace.broker.settings;

import static io.millrace.broker.settings.Setting.flag;
import static io.millrace.broker.settings.Setting.large;
import static io.millrace.broker.settings.Setting.number;
import static io.millrace.broker.settings.Setting.word;

import java.util.ArrayList;
import java.util.List;

/** What can be set for a broker: its own settings, and the defaults of its topics. */
public final class BrokerSettings {
    public static final String ADVERTISED_HOST = "advertised.host";
    public static final String AUTO_CREATE_TOPICS = "auto.create.topics.enable";
    public static final String AUTO_LEADER_REBALANCE = "auto.leader.rebalance.enable";
    public static final String BROKER_HEARTBEAT_INTERVAL_MS = "broker.heartbeat.interval.ms";
    public static final String BROKER_SESSION_TIMEOUT_MS = "broker.session.timeout.ms";
    public static final String CHECKPOINT_INTERVAL_MS = "log.flush.offset.checkpoint.interval.ms";
    public static final String CLEANER_INTERVAL_MS = "log.cleaner.backoff.ms";
    public static final String CLUSTER_ID = "cluster.id";
    public static final String CLUSTER_VOTERS = "cluster.voters";
    public static final String DEFAULT_REPLICATION_FACTOR = "default.replication.factor";
    public static final String DELETE_TOPICS = "delete.topic.enable";
    public static final String DRAIN = "broker.drain";
    public static final String FETCH_MAX_BYTES = "fetch.max.bytes";
    public static final String FETCH_SESSIONS = "max.incremental.fetch.session.cache.slots";
    public static final String FOLLOWER_THROTTLED_RATE = "follower.replication.throttled.rate";
    public static final String GROUP_INITIAL_REBALANCE_DELAY_MS = "group.initial.rebalance.delay.ms";
    public static final String GROUP_MAX_SESSION_TIMEOUT_MS = "group.max.session.timeout.ms";
    public static final String GROUP_MAX_SIZE = "group.max.size";
    public static final String GROUP_MIN_SESSION_TIMEOUT_MS = "group.min.session.timeout.ms";
    public static final String HOST = "host";
    public static final String IO_THREADS = "num.network.threads";
    public static final String LEADER_IMBALANCE_CHECK_SECONDS = "leader.imbalance.check.interval.seconds";
    public static final String LEADER_THROTTLED_RATE = "leader.replication.throttled.rate";
    public static final String METADATA_PORT = "cluster.metadata.port";
    public static final String NODE_ID = "node.id";
    public static final String NUM_PARTITIONS = "num.partitions";
    public static final String OFFSET_METADATA_MAX_BYTES = "offset.metadata.max.bytes";
    public static final String OFFSETS_PARTITIONS = "offsets.topic.num.partitions";
    public static final String OFFSETS_RETENTION_MINUTES = "offsets.retention.minutes";
    public static final String PORT = "port";
    public static final String PRODUCER_ID_EXPIRATION_MS = "producer.id.expiration.ms";
    public static final String RACK = "broker.rack";
    public static final String REPLICA_LAG_TIME_MAX_MS = "replica.lag.time.max.ms";
    public static final String REPLICA_STALL_TIME_MAX_MS = "replica.stall.time.max.ms";
    public static final String REQUEST_MAX_BYTES = "socket.request.max.bytes";
    public static final String RETENTION_CHECK_INTERVAL_MS = "log.retention.check.interval.ms";
    public static final String SHARDS = "num.shards";
    public static final String TRANSACTION_MAX_TIMEOUT_MS = "transaction.max.timeout.ms";
    public static final String TRANSACTION_PARTITIONS = "transaction.state.log.num.partitions";
    public static final String TRANSACTIONAL_ID_EXPIRATION_MS = "transactional.id.expiration.ms";
    public static final String PRODUCER_EPOCH_LIMIT = "transaction.producer.epoch.limit";

    private static final int MAX = Integer.MAX_VALUE;

    private static final List<Setting> OWN = List.of(
            word(HOST, "127.0.0.1", List.of(), "the address to listen on; 0.0.0.0 for all"),
            number(PORT, 9092, 0, 65_535, "the port to listen on; 0 for any free one"),
            word(
                    ADVERTISED_HOST,
                    "",
                    List.of(),
                    "the host name that clients are told; empty: the address to listen on"),
            number(NODE_ID, 1, 0, MAX, "the number of this broker"),
            word(RACK, "", List.of(), "the rack of this broker"),
            word(
                    CLUSTER_ID,
                    "",
                    List.of(),
                    "the cluster that this broker belongs to; empty: one of its own, made at first"),
            word(
                    CLUSTER_VOTERS,
                    "",
                    List.of(),
                    "the 1, 3 or 5 nodes that agree on the metadata, as ID@HOST:PORT:METADATA_PORT,...; empty: this one"),
            number(
                    METADATA_PORT,
                    9192,
                    1,
                    65_535,
                    "where a node that does not vote follows the metadata of its cluster"),
            flag(DRAIN, false, "whether what a broker leads and replicates moves to others, to take it out")
                    .changeable(),
            number(IO_THREADS, 2, 1, 1024, "threads that read and write sockets"),
            number(SHARDS, 2, 1, 1024, "threads that own partitions"),
            number(REQUEST_MAX_BYTES, 100 << 20, 1024, MAX, "the largest request accepted"),
            flag(AUTO_CREATE_TOPICS, true, "whether a topic that is asked for is made")
                    .changeable(),
            flag(DELETE_TOPICS, true, "whether topics can be deleted"),
            number(NUM_PARTITIONS, 1, 1, 100_000, "partitions of a topic made without saying how many")
                    .changeable(),
            number(DEFAULT_REPLICATION_FACTOR, 1, 1, 32_767, "replicas of a topic made without saying how many"),
            large(REPLICA_LAG_TIME_MAX_MS, 30_000, 1, "how long a replica may be behind and count as in sync"),
            large(
                    REPLICA_STALL_TIME_MAX_MS,
                    1_000,
                    4,
                    "how long a replica that is behind may ask for nothing and count as in sync, if enough others are"),
            large(
                            LEADER_THROTTLED_RATE,
                            Long.MAX_VALUE,
                            0,
                            "bytes a second that this broker sends to throttled replicas that are not in sync")
                    .changeable(),
            large(
                            FOLLOWER_THROTTLED_RATE,
                            Long.MAX_VALUE,
                            0,
                            "bytes a second that its own throttled replicas that are not in sync take in")
                    .changeable(),
            number(
                    BROKER_HEARTBEAT_INTERVAL_MS,
                    500,
                    1,
                    MAX,
                    "how often a broker tells the controller that it lives, at least four times a session"),
            number(BROKER_SESSION_TIMEOUT_MS, 9_000, 1, MAX, "how long a broker may be silent before it is fenced"),
            flag(AUTO_LEADER_REBALANCE, true, "whether preferred leaders are restored in the background"),
            number(
                    LEADER_IMBALANCE_CHECK_SECONDS,
                    300,
                    1,
                    MAX,
                    "how often the controller looks for leaders to restore"),
            number(FETCH_MAX_BYTES, 55 << 20, 1024, MAX, "the most bytes a fetch answers, but for one large batch"),
            number(FETCH_SESSIONS, 1000, 0, MAX, "fetch sessions that are remembered"),
            number(GROUP_MIN_SESSION_TIMEOUT_MS, 6_000, 1, MAX, "the shortest session a group member may ask for"),
            number(GROUP_MAX_SESSION_TIMEOUT_MS, 1_800_000, 1, MAX, "the longest one"),
            number(GROUP_INITIAL_REBALANCE_DELAY_MS, 500, 0, MAX, "how long a new group waits for more members"),
            number(GROUP_MAX_SIZE, MAX, 1, MAX, "the most members of a group"),
            number(OFFSET_METADATA_MAX_BYTES, 4096, 0, MAX, "the longest text stored with a committed offset"),
            number(OFFSETS_PARTITIONS, 16, 1, 10_000, "partitions of the offsets topic; fixed once it exists"),
            number(OFFSETS_RETENTION_MINUTES, 7 * 24 * 60, 1, MAX, "how long an empty group keeps its offsets"),
            number(TRANSACTION_PARTITIONS, 16, 1, 10_000, "partitions of the transactions topic; fixed once it exists"),
            number(TRANSACTION_MAX_TIMEOUT_MS, 900_000, 1, MAX, "the longest transaction a producer may ask for"),
            number(TRANSACTIONAL_ID_EXPIRATION_MS, 604_800_000, 1, MAX, "how long an idle transactional id is kept"),
            number(PRODUCER_EPOCH_LIMIT, 32_766, 1, 32_766, "the epoch after which a producer gets a new id"),
            number(PRODUCER_ID_EXPIRATION_MS, 86_400_000, 1, MAX, "how long a partition remembers an idle producer"),
            large(CHECKPOINT_INTERVAL_MS, 60_000, 100, "how often recovery points are written"),
            large(RETENTION_CHECK_INTERVAL_MS, 300_000, 100, "how often retention is checked"),
            large(CLEANER_INTERVAL_MS, 15_000, 10, "how often compaction looks for work"));

    public static final SettingTable TABLE = new SettingTable("broker", all());

    private BrokerSettings() {}

    private static List<Setting> all() {
        List<Setting> all = new ArrayList<>(OWN);
        for (Setting topic : TopicSettings.TABLE.all()) {
            if (topic.fallback() != null) {
                all.add(topic.named(topic.fallback()));
            }
        }
        return List.copyOf(all);
    }
}
