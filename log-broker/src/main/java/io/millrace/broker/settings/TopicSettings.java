package io.millrace.broker.settings;

import static io.millrace.broker.settings.Setting.flag;
import static io.millrace.broker.settings.Setting.large;
import static io.millrace.broker.settings.Setting.list;
import static io.millrace.broker.settings.Setting.number;
import static io.millrace.broker.settings.Setting.replicas;
import static io.millrace.broker.settings.Setting.share;
import static io.millrace.broker.settings.Setting.word;

import java.util.List;

/** What can be set for a topic; most fall back to the broker's setting, which is the default of all topics. */
public final class TopicSettings {
    public static final String CLEANUP_POLICY = "cleanup.policy";
    public static final String COMPRESSION_TYPE = "compression.type";
    public static final String DELETE_RETENTION_MS = "delete.retention.ms";
    public static final String FILE_DELETE_DELAY_MS = "file.delete.delay.ms";
    public static final String FLUSH_POLICY = "flush.policy";
    public static final String FOLLOWER_THROTTLED_REPLICAS = "follower.replication.throttled.replicas";
    public static final String INDEX_INTERVAL_BYTES = "index.interval.bytes";
    public static final String LEADER_THROTTLED_REPLICAS = "leader.replication.throttled.replicas";
    public static final String MAX_COMPACTION_LAG_MS = "max.compaction.lag.ms";
    public static final String MAX_MESSAGE_BYTES = "max.message.bytes";
    public static final String TIMESTAMP_AFTER_MAX_MS = "message.timestamp.after.max.ms";
    public static final String TIMESTAMP_BEFORE_MAX_MS = "message.timestamp.before.max.ms";
    public static final String TIMESTAMP_TYPE = "message.timestamp.type";
    public static final String MIN_CLEANABLE_DIRTY_RATIO = "min.cleanable.dirty.ratio";
    public static final String MIN_COMPACTION_LAG_MS = "min.compaction.lag.ms";
    public static final String MIN_INSYNC_REPLICAS = "min.insync.replicas";
    public static final String RETENTION_BYTES = "retention.bytes";
    public static final String RETENTION_MS = "retention.ms";
    public static final String SEGMENT_BYTES = "segment.bytes";
    public static final String SEGMENT_INDEX_BYTES = "segment.index.bytes";
    public static final String SEGMENT_MS = "segment.ms";
    public static final String UNCLEAN_LEADER_ELECTION = "unclean.leader.election.enable";

    private static final long DAY_MS = 86_400_000L;
    private static final long HOUR_MS = 3_600_000L;

    public static final SettingTable TABLE = new SettingTable(
            "topic",
            List.of(
                    list(CLEANUP_POLICY, "delete", List.of("delete", "compact"), "what happens to old records")
                            .orBroker("log.cleanup.policy"),
                    word(COMPRESSION_TYPE, "producer", List.of("producer"), "batches are stored as they come")
                            .orBroker("compression.type"),
                    large(DELETE_RETENTION_MS, DAY_MS, 0, "how long compaction keeps tombstones and markers")
                            .orBroker("log.cleaner.delete.retention.ms"),
                    large(FILE_DELETE_DELAY_MS, 60_000, 0, "how long a removed file waits for its readers")
                            .orBroker("log.segment.delete.delay.ms"),
                    word(
                                    FLUSH_POLICY,
                                    "os",
                                    List.of("os", "force"),
                                    "when a record is on disk: at the system's "
                                            + "leisure, or forced before it is acknowledged")
                            .orBroker("log.flush.policy"),
                    replicas(
                                    FOLLOWER_THROTTLED_REPLICAS,
                                    "replicas that are copied no faster than their brokers take in")
                            .changeable(),
                    number(INDEX_INTERVAL_BYTES, 4096, 0, Integer.MAX_VALUE, "bytes between two index entries")
                            .orBroker("log.index.interval.bytes"),
                    replicas(
                                    LEADER_THROTTLED_REPLICAS,
                                    "replicas that, leading, are copied no faster than their brokers send")
                            .changeable(),
                    large(MAX_COMPACTION_LAG_MS, Long.MAX_VALUE, 1, "how long a record may escape compaction")
                            .orBroker("log.cleaner.max.compaction.lag.ms"),
                    number(MAX_MESSAGE_BYTES, 1_048_588, 0, Integer.MAX_VALUE, "the largest batch accepted")
                            .orBroker("message.max.bytes"),
                    large(TIMESTAMP_AFTER_MAX_MS, HOUR_MS, 0, "how far ahead of the broker a timestamp may be")
                            .orBroker("log.message.timestamp.after.max.ms"),
                    large(TIMESTAMP_BEFORE_MAX_MS, Long.MAX_VALUE, 0, "how far behind the broker it may be")
                            .orBroker("log.message.timestamp.before.max.ms"),
                    word(TIMESTAMP_TYPE, "CreateTime", List.of("createtime", "logappendtime"), "whose clock counts")
                            .orBroker("log.message.timestamp.type"),
                    share(MIN_CLEANABLE_DIRTY_RATIO, 0.5, "the uncompacted share at which compaction starts")
                            .orBroker("log.cleaner.min.cleanable.ratio"),
                    large(MIN_COMPACTION_LAG_MS, 0, 0, "how long a record is safe from compaction")
                            .orBroker("log.cleaner.min.compaction.lag.ms"),
                    number(MIN_INSYNC_REPLICAS, 1, 1, Integer.MAX_VALUE, "replicas that acks=all needs")
                            .orBroker("min.insync.replicas"),
                    large(RETENTION_BYTES, -1, -1, "the size that a partition may reach; -1 for any")
                            .orBroker("log.retention.bytes"),
                    large(RETENTION_MS, 7 * DAY_MS, -1, "how long records are kept; -1 for ever")
                            .orBroker("log.retention.ms"),
                    number(SEGMENT_BYTES, 1 << 30, 1024, Integer.MAX_VALUE, "the size at which a segment is closed")
                            .orBroker("log.segment.bytes"),
                    number(SEGMENT_INDEX_BYTES, 10 << 20, 4, Integer.MAX_VALUE, "the largest index of a segment")
                            .orBroker("log.index.size.max.bytes"),
                    large(SEGMENT_MS, 7 * DAY_MS, 1, "the age at which a segment is closed")
                            .orBroker("log.roll.ms"),
                    flag(UNCLEAN_LEADER_ELECTION, false, "whether a replica that may lack records can lead at need")
                            .orBroker("unclean.leader.election.enable")));

    private TopicSettings() {}
}
