package io.millrace.broker.partition;

import io.millrace.broker.log.LastStop;
import io.millrace.broker.log.LogSettings;
import io.millrace.broker.log.PartitionLog;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.replication.LagLimits;
import io.millrace.broker.settings.BrokerSettings;
import io.millrace.broker.settings.ThrottledReplicas;
import io.millrace.broker.settings.TopicSettings;
import io.millrace.broker.settings.Values;
import io.millrace.kernel.Host;
import io.millrace.kernel.Loop;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;

/** How a partition comes to life on a shard, and how its files go. */
final class PartitionOpening {
    private final ShardContext context;
    private final Loop<ShardMessage> loop;
    private final Partition.Forcer forcer;

    PartitionOpening(ShardContext context, Loop<ShardMessage> loop, Partition.Forcer forcer) {
        this.context = context;
        this.loop = loop;
        this.forcer = forcer;
    }

    Partition open(TopicIdPartition id, Partition.PartitionSettings settings) {
        Host host = context.host();
        DataFolder data = context.folder();
        TopicPartition name = id.topicPartition();
        LastStop lastStop = data.lastStop(name);
        PartitionLog log = PartitionLog.open(
                data.prepare(id),
                settings.log(),
                data.known().of(name),
                lastStop,
                host.clock().wallMs());
        data.opened(name);
        Partition partition = new Partition(
                id,
                context.self(),
                log,
                settings,
                () -> new TransactionGate(name, context.registrar(), loop),
                forcer,
                context.contact(),
                host.clock());
        if (lastStop == LastStop.POWER_CUT) {
            partition.following().doubtFrom(log.recoveryPoint());
        }
        return partition;
    }

    /** The settings of a topic as they stand in an image. */
    Partition.PartitionSettings settings(ClusterImage image, TopicImage topic) {
        Values broker = context.defaults().of(image);
        Map<String, String> set = new TreeMap<>(topic.settings());
        if (topic.internal()) {
            set.putIfAbsent(TopicSettings.CLEANUP_POLICY, "compact");
            set.putIfAbsent(TopicSettings.SEGMENT_BYTES, String.valueOf(100 << 20));
        }
        Values values = Values.ofTopic(set, broker);
        return new Partition.PartitionSettings(
                log(values, broker.large(BrokerSettings.PRODUCER_ID_EXPIRATION_MS)),
                values.number(TopicSettings.MIN_INSYNC_REPLICAS),
                values.word(TopicSettings.FLUSH_POLICY).equals("force"),
                new LagLimits(
                        broker.large(BrokerSettings.REPLICA_LAG_TIME_MAX_MS),
                        broker.large(BrokerSettings.REPLICA_STALL_TIME_MAX_MS)),
                ThrottledReplicas.parse(values.text(TopicSettings.LEADER_THROTTLED_REPLICAS)),
                ThrottledReplicas.parse(values.text(TopicSettings.FOLLOWER_THROTTLED_REPLICAS)));
    }

    private static LogSettings log(Values values, long producerIdExpirationMs) {
        String policy = values.word(TopicSettings.CLEANUP_POLICY);
        return LogSettings.DEFAULTS
                .withSegments(new LogSettings.Segments(
                        values.number(TopicSettings.SEGMENT_BYTES),
                        values.large(TopicSettings.SEGMENT_MS),
                        values.number(TopicSettings.INDEX_INTERVAL_BYTES),
                        values.number(TopicSettings.SEGMENT_INDEX_BYTES)))
                .withRetention(new LogSettings.Retention(
                        policy.contains("delete"),
                        values.large(TopicSettings.RETENTION_BYTES),
                        values.large(TopicSettings.RETENTION_MS),
                        values.large(TopicSettings.FILE_DELETE_DELAY_MS)))
                .withCompaction(new LogSettings.Compaction(
                        policy.contains("compact"),
                        values.share(TopicSettings.MIN_CLEANABLE_DIRTY_RATIO),
                        values.large(TopicSettings.DELETE_RETENTION_MS),
                        values.large(TopicSettings.MIN_COMPACTION_LAG_MS),
                        values.large(TopicSettings.MAX_COMPACTION_LAG_MS)))
                .withTimestamps(new LogSettings.Timestamps(
                        values.word(TopicSettings.TIMESTAMP_TYPE).equals("logappendtime")
                                ? LogSettings.TimestampType.LOG_APPEND_TIME
                                : LogSettings.TimestampType.CREATE_TIME,
                        values.large(TopicSettings.TIMESTAMP_BEFORE_MAX_MS),
                        values.large(TopicSettings.TIMESTAMP_AFTER_MAX_MS)))
                .withMaxMessageBytes(values.number(TopicSettings.MAX_MESSAGE_BYTES))
                .withProducers(producerIdExpirationMs, LogSettings.DEFAULTS.maxProducerIds());
    }

    void delete(TopicPartition partition) {
        context.folder().delete(partition);
        context.checkpoints().gone(partition);
    }
}
