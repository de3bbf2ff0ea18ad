package io.millrace.broker.metadata;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.millrace.broker.metadata.MetadataEvent.ProducerIdsTaken;
import io.millrace.broker.metadata.MetadataEvent.SettingsChanged;
import io.millrace.broker.metadata.MetadataEvent.TopicChanged;
import io.millrace.broker.metadata.MetadataEvent.TopicDeleted;
import io.millrace.broker.metadata.proto.MetadataKey;
import io.millrace.broker.metadata.proto.PartitionRecord;
import io.millrace.broker.metadata.proto.ProducerIdsRecord;
import io.millrace.broker.metadata.proto.SettingsRecord;
import io.millrace.broker.metadata.proto.TopicRecord;
import io.millrace.kernel.EventCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Uuid;

/** Metadata events as Protobuf records. */
public final class MetadataCodec implements EventCodec<MetadataEvent> {

    @Override
    public Optional<Entry> encode(MetadataEvent event) {
        MetadataKey.Builder key = MetadataKey.newBuilder();
        byte[] value = null;
        if (event instanceof TopicChanged changed) {
            key.setTopicId(bytes(changed.topic().id()));
            value = record(changed.topic()).toByteArray();
        } else if (event instanceof TopicDeleted deleted) {
            key.setTopicId(bytes(deleted.id()));
        } else if (event instanceof SettingsChanged changed) {
            key.setBrokerSettings(changed.node());
            value = SettingsRecord.newBuilder()
                    .putAllSettings(changed.settings())
                    .build()
                    .toByteArray();
        } else if (event instanceof ProducerIdsTaken taken) {
            key.setProducerIds(true);
            value = ProducerIdsRecord.newBuilder().setNext(taken.next()).build().toByteArray();
        }
        return Optional.of(new Entry(key.build().toByteArray(), value));
    }

    @Override
    public MetadataEvent decode(Entry entry) {
        try {
            MetadataKey key = MetadataKey.parseFrom(entry.key());
            return switch (key.getOfCase()) {
                case TOPIC_ID -> topic(uuid(key.getTopicId()), entry.value());
                case BROKER_SETTINGS ->
                    new SettingsChanged(
                            key.getBrokerSettings(),
                            SettingsRecord.parseFrom(entry.value()).getSettingsMap());
                case PRODUCER_IDS ->
                    new ProducerIdsTaken(
                            ProducerIdsRecord.parseFrom(entry.value()).getNext());
                case OF_NOT_SET -> throw new IllegalArgumentException("a metadata record with an unknown key");
            };
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("a metadata record that cannot be read: " + e.getMessage(), e);
        }
    }

    private static MetadataEvent topic(Uuid id, byte[] value) throws InvalidProtocolBufferException {
        if (value == null) {
            return new TopicDeleted(id);
        }
        TopicRecord topic = TopicRecord.parseFrom(value);
        List<PartitionImage> partitions = new ArrayList<>();
        for (PartitionRecord partition : topic.getPartitionsList()) {
            partitions.add(new PartitionImage(
                    partitions.size(),
                    partition.getLeader(),
                    partition.getLeaderEpoch(),
                    partition.getPartitionEpoch(),
                    partition.getReplicasList(),
                    partition.getInSyncList()));
        }
        return new TopicChanged(new TopicImage(id, topic.getName(), partitions, topic.getSettingsMap()));
    }

    private static TopicRecord record(TopicImage topic) {
        TopicRecord.Builder record = TopicRecord.newBuilder().setName(topic.name());
        for (PartitionImage partition : topic.partitions()) {
            record.addPartitions(PartitionRecord.newBuilder()
                    .setLeader(partition.leader())
                    .setLeaderEpoch(partition.leaderEpoch())
                    .setPartitionEpoch(partition.partitionEpoch())
                    .addAllReplicas(partition.replicas())
                    .addAllInSync(partition.inSync()));
        }
        return record.putAllSettings(topic.settings()).build();
    }

    private static ByteString bytes(Uuid id) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES);
        bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        return ByteString.copyFrom(bytes.flip());
    }

    private static Uuid uuid(ByteString bytes) {
        ByteBuffer view = bytes.asReadOnlyByteBuffer();
        return new Uuid(view.getLong(), view.getLong());
    }
}
