package io.millrace.streams.runtime;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** A session on Kafka's own consumer and producer. */
final class KafkaLogSession implements LogSession {
    private final Consumer<byte[], byte[]> member;
    private final Outlet outlet;
    private final SlotHolder slots;
    private final OrphanedSlots orphans;
    private final Ownership ownership;
    private final Map<TopicPartition, OffsetAndMetadata> readTo = new HashMap<>();
    private RuntimeException rebalanceFailure;
    private boolean leaveGroup;

    KafkaLogSession(
            Consumer<byte[], byte[]> member,
            Outlet outlet,
            SlotHolder slots,
            OrphanedSlots orphans,
            Collection<String> topics,
            Ownership ownership) {
        this.member = member;
        this.outlet = outlet;
        this.slots = slots;
        this.orphans = orphans;
        this.ownership = ownership;
        member.subscribe(topics, new Rebalance());
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        ConsumerRecords<byte[], byte[]> records = member.poll(timeout);
        if (rebalanceFailure instanceof JobStoppedException stopped) {
            throw stopped;
        }
        if (rebalanceFailure != null) {
            throw new SessionFinishedException(
                    "the assignment could not be taken: " + rebalanceFailure.getMessage(), rebalanceFailure);
        }
        readTo.putAll(records.nextOffsets());
        return records;
    }

    @Override
    public void send(ProducerRecord<byte[], byte[]> record, Origin origin) {
        outlet.send(record, origin);
    }

    @Override
    public Map<TopicPartition, Long> commit(Map<TopicPartition, OffsetAndMetadata> positions) {
        return outlet.commit(positions, member);
    }

    @Override
    public void rewind(Map<TopicPartition, OffsetAndMetadata> committed) {
        outlet.abort();
        seek(committed);
    }

    private void seek(Map<TopicPartition, OffsetAndMetadata> committed) {
        committed.forEach((partition, offset) -> {
            if (offset == null) {
                member.seekToBeginning(List.of(partition));
            } else {
                member.seek(partition, offset);
            }
        });
    }

    @Override
    public OffsetAndMetadata position(TopicPartition partition) {
        OffsetAndMetadata read = readTo.get(partition);
        long position = member.position(partition);
        return read != null && read.offset() == position ? read : new OffsetAndMetadata(position);
    }

    @Override
    public void pause(Set<TopicPartition> partitions) {
        member.pause(partitions);
    }

    @Override
    public void resume(Set<TopicPartition> partitions) {
        member.resume(partitions);
    }

    @Override
    public void leaveGroupOnClose() {
        leaveGroup = true;
    }

    @Override
    public void close() {
        outlet.close();
        member.close(CloseOptions.timeout(Duration.ofSeconds(5))
                .withGroupMembershipOperation(
                        leaveGroup
                                ? CloseOptions.GroupMembershipOperation.LEAVE_GROUP
                                : CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP));
    }

    /** An exception thrown at the consumer here would come out of it in another form; it is kept for poll instead. */
    private final class Rebalance implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            try {
                // first the slot, which aborts what a predecessor left open, then the offsets, which that may hide
                outlet.take(slots.slot());
                if (slots.sweepsOrphans()) {
                    orphans.abortAllBut(slots.liveSlots());
                }
                Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
                partitions.forEach(partition -> committed.put(partition, null));
                committed.putAll(nonNull(member.committed(new HashSet<>(partitions))));
                seek(committed);
                ownership.assigned(committed);
            } catch (RuntimeException e) {
                rebalanceFailure = e;
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            try {
                ownership.revoking();
            } catch (RuntimeException e) {
                rebalanceFailure = e;
            }
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            ownership.lost();
        }

        private Map<TopicPartition, OffsetAndMetadata> nonNull(Map<TopicPartition, OffsetAndMetadata> offsets) {
            Map<TopicPartition, OffsetAndMetadata> known = new HashMap<>();
            offsets.forEach((partition, offset) -> {
                if (offset != null) {
                    known.put(partition, offset);
                }
            });
            return known;
        }
    }
}
