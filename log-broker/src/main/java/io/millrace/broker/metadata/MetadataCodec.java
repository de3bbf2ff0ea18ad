package io.millrace.broker.metadata;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.millrace.broker.metadata.MetadataEvent.BrokerChanged;
import io.millrace.broker.metadata.MetadataEvent.BrokerRemoved;
import io.millrace.broker.metadata.MetadataEvent.BrokerSeen;
import io.millrace.broker.metadata.MetadataEvent.PartitionChanged;
import io.millrace.broker.metadata.MetadataEvent.PartitionForgotten;
import io.millrace.broker.metadata.MetadataEvent.ProducerIdsTaken;
import io.millrace.broker.metadata.MetadataEvent.SettingsChanged;
import io.millrace.broker.metadata.MetadataEvent.Tidied;
import io.millrace.broker.metadata.MetadataEvent.TopicChanged;
import io.millrace.broker.metadata.MetadataEvent.TopicDeleted;
import io.millrace.broker.metadata.proto.BrokerRecord;
import io.millrace.broker.metadata.proto.BrokerState;
import io.millrace.broker.metadata.proto.MetadataKey;
import io.millrace.broker.metadata.proto.PartitionKey;
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
        if (event instanceof BrokerSeen || event instanceof Tidied) {
            return Optional.empty();
        }
        if (event instanceof TopicChanged changed) {
            key.setTopicId(bytes(changed.topic().id()));
            value = record(changed.topic()).toByteArray();
        } else if (event instanceof TopicDeleted deleted) {
            key.setTopicId(bytes(deleted.id()));
        } else if (event instanceof PartitionChanged changed) {
            key.setPartition(PartitionKey.newBuilder()
                    .setTopicId(bytes(changed.topicId()))
                    .setIndex(changed.partition().index()));
            value = record(changed.partition()).toByteArray();
        } else if (event instanceof PartitionForgotten forgotten) {
            key.setPartition(PartitionKey.newBuilder()
                    .setTopicId(bytes(forgotten.topicId()))
                    .setIndex(forgotten.index()));
        } else if (event instanceof BrokerChanged changed) {
            key.setBroker(changed.broker().id());
            value = record(changed.broker()).toByteArray();
        } else if (event instanceof BrokerRemoved removed) {
            key.setBroker(removed.id());
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
                case PARTITION -> partition(key.getPartition(), entry.value());
                case BROKER -> broker(key.getBroker(), entry.value());
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
            partitions.add(partition(partitions.size(), partition));
        }
        return new TopicChanged(new TopicImage(id, topic.getName(), partitions, topic.getSettingsMap()));
    }

    private static TopicRecord record(TopicImage topic) {
        TopicRecord.Builder record = TopicRecord.newBuilder().setName(topic.name());
        topic.partitions().forEach(partition -> record.addPartitions(record(partition)));
        return record.putAllSettings(topic.settings()).build();
    }

    private static MetadataEvent partition(PartitionKey key, byte[] value) throws InvalidProtocolBufferException {
        Uuid topic = uuid(key.getTopicId());
        return value == null
                ? new PartitionForgotten(topic, key.getIndex())
                : new PartitionChanged(topic, partition(key.getIndex(), PartitionRecord.parseFrom(value)));
    }

    private static PartitionImage partition(int index, PartitionRecord record) {
        return new PartitionImage(
                index,
                record.getLeader(),
                record.getLeaderEpoch(),
                record.getPartitionEpoch(),
                record.getReplicasList(),
                record.getInSyncList(),
                record.getEligibleList(),
                record.getLastLeader(),
                record.getAddingList(),
                record.getRemovingList());
    }

    private static PartitionRecord record(PartitionImage partition) {
        return PartitionRecord.newBuilder()
                .setLeader(partition.leader())
                .setLeaderEpoch(partition.leaderEpoch())
                .setPartitionEpoch(partition.partitionEpoch())
                .addAllReplicas(partition.replicas())
                .addAllInSync(partition.inSync())
                .addAllEligible(partition.eligible())
                .setLastLeader(partition.lastLeader())
                .addAllAdding(partition.adding())
                .addAllRemoving(partition.removing())
                .build();
    }

    private static MetadataEvent broker(int id, byte[] value) throws InvalidProtocolBufferException {
        if (value == null) {
            return new BrokerRemoved(id);
        }
        BrokerRecord broker = BrokerRecord.parseFrom(value);
        return new BrokerChanged(new BrokerImage(
                id,
                broker.getHost(),
                broker.getPort(),
                broker.getRack(),
                broker.getEpoch(),
                uuid(broker.getIncarnation()),
                BrokerImage.State.valueOf(broker.getState().name()),
                broker.getDrained()));
    }

    private static BrokerRecord record(BrokerImage broker) {
        return BrokerRecord.newBuilder()
                .setHost(broker.host())
                .setPort(broker.port())
                .setRack(broker.rack())
                .setEpoch(broker.epoch())
                .setIncarnation(bytes(broker.incarnation()))
                .setState(BrokerState.valueOf(broker.state().name()))
                .setDrained(broker.drained())
                .build();
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
