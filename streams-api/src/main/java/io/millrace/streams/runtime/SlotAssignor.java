package io.millrace.streams.runtime;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.TopicPartition;

/**
 * Hands out partitions and slots together. Kafka creates it by its class name, hence public, and passes it the
 * {@link SlotHolder} of its worker in the configuration.
 */
public final class SlotAssignor implements ConsumerPartitionAssignor, Configurable {
    private SlotHolder holder;

    @Override
    public void configure(Map<String, ?> configs) {
        holder = (SlotHolder) configs.get(SlotHolder.CONFIG);
    }

    @Override
    public String name() {
        return "millrace-slots";
    }

    @Override
    public ByteBuffer subscriptionUserData(Set<String> topics) {
        return Slots.write(new Slots.Claim(holder.slot(), holder.claims()));
    }

    @Override
    public GroupAssignment assign(Cluster cluster, GroupSubscription group) {
        Map<String, Slots.Claim> claims = new TreeMap<>();
        Set<String> topics = new java.util.TreeSet<>();
        group.groupSubscription().forEach((member, subscription) -> {
            claims.put(member, Slots.readClaim(subscription.userData()));
            topics.addAll(subscription.topics());
        });
        List<TopicPartition> partitions = new ArrayList<>();
        for (String topic : topics) {
            Integer count = cluster.partitionCountForTopic(topic);
            for (int partition = 0; count != null && partition < count; partition++) {
                partitions.add(new TopicPartition(topic, partition));
            }
        }
        Map<String, List<TopicPartition>> tasks = SlotDivision.partitions(claims, partitions);
        Map<String, Integer> slots = SlotDivision.slots(claims);
        Map<String, Assignment> assignments = new LinkedHashMap<>();
        tasks.forEach((member, own) -> assignments.put(
                member,
                new Assignment(own, Slots.write(new Slots.Grant(slots.get(member), Set.copyOf(slots.values()))))));
        return new GroupAssignment(assignments);
    }

    @Override
    public void onAssignment(Assignment assignment, ConsumerGroupMetadata metadata) {
        Slots.Grant grant = Slots.readGrant(assignment.userData());
        holder.assigned(grant.slot(), grant.liveSlots());
        holder.claim(assignment.partitions());
    }
}
