package io.millrace.txn;

import com.google.protobuf.InvalidProtocolBufferException;
import io.millrace.kernel.EventCodec;
import io.millrace.txn.TxnEvent.Changed;
import io.millrace.txn.TxnEvent.Forgotten;
import io.millrace.txn.proto.Identity;
import io.millrace.txn.proto.TopicRecord;
import io.millrace.txn.proto.TransactionKey;
import io.millrace.txn.proto.TransactionRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Transaction events as Protobuf records. */
public final class TxnCodec implements EventCodec<TxnEvent> {

    @Override
    public Optional<Entry> encode(TxnEvent event) {
        if (event instanceof Changed changed) {
            Transaction transaction = changed.transaction();
            return Optional.of(new Entry(key(transaction.id()), value(transaction)));
        } else if (event instanceof Forgotten forgotten) {
            return Optional.of(new Entry(key(forgotten.id()), null));
        }
        return Optional.empty();
    }

    private static byte[] key(String id) {
        return TransactionKey.newBuilder().setTransactionalId(id).build().toByteArray();
    }

    private static byte[] value(Transaction transaction) {
        TransactionRecord.Builder record = TransactionRecord.newBuilder()
                .setCurrent(identity(transaction.current()))
                .setTimeoutMs(transaction.timeoutMs())
                .setStatus(transaction.status().number())
                .setStartedMs(transaction.startedMs())
                .setUpdatedMs(transaction.updatedMs())
                .setTimedOut(transaction.timedOut());
        if (transaction.previous() != null) {
            record.setPrevious(identity(transaction.previous()));
        }
        if (transaction.marker() != null) {
            record.setMarker(identity(transaction.marker().identity()))
                    .setMarkerRaisesEpoch(transaction.marker().raisesEpoch());
        }
        Map<String, List<Integer>> topics = new TreeMap<>();
        transaction
                .partitions()
                .forEach(partition -> topics.computeIfAbsent(partition.topic(), topic -> new ArrayList<>())
                        .add(partition.partition()));
        topics.forEach((topic, partitions) ->
                record.addTopics(TopicRecord.newBuilder().setName(topic).addAllPartitions(partitions)));
        return record.build().toByteArray();
    }

    private static Identity identity(ProducerIdentity identity) {
        return Identity.newBuilder()
                .setProducerId(identity.producerId())
                .setEpoch(identity.epoch())
                .build();
    }

    @Override
    public TxnEvent decode(Entry entry) {
        try {
            String id = TransactionKey.parseFrom(entry.key()).getTransactionalId();
            if (entry.value() == null) {
                return new Forgotten(id);
            }
            return new Changed(transaction(id, TransactionRecord.parseFrom(entry.value())));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("a transaction record that cannot be read: " + e.getMessage(), e);
        }
    }

    private static Transaction transaction(String id, TransactionRecord record) {
        SortedSet<TxnPartition> partitions = new TreeSet<>();
        for (TopicRecord topic : record.getTopicsList()) {
            topic.getPartitionsList().forEach(index -> partitions.add(new TxnPartition(topic.getName(), index)));
        }
        return new Transaction(
                id,
                identity(record.getCurrent()),
                record.hasPrevious() ? identity(record.getPrevious()) : null,
                record.hasMarker() ? new TxnMarker(identity(record.getMarker()), record.getMarkerRaisesEpoch()) : null,
                record.getTimeoutMs(),
                TxnStatus.of(record.getStatus()),
                partitions,
                record.getStartedMs(),
                record.getUpdatedMs(),
                record.getTimedOut());
    }

    private static ProducerIdentity identity(Identity identity) {
        return new ProducerIdentity(identity.getProducerId(), (short) identity.getEpoch());
    }
}
