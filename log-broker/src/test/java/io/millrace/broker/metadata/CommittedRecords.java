package io.millrace.broker.metadata;

import static io.millrace.broker.metadata.PartitionImage.NO_LEADER;

import io.millrace.broker.metadata.MetadataEvent.PartitionChanged;
import io.millrace.broker.metadata.MetadataEvent.TopicChanged;
import io.millrace.broker.settings.TopicSettings;
import io.millrace.broker.settings.Values;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Uuid;

/**
 * Which replicas of a partition have every committed record, in the worst case: whoever leads commits all the time, as
 * soon as enough replicas are in sync, and nobody but those gets the records.
 */
final class CommittedRecords {
    private final Map<String, Set<Integer>> complete = new HashMap<>();

    /** A new topic's replicas have all there is. */
    void created(TopicChanged event) {
        for (PartitionImage partition : event.topic().partitions()) {
            complete.computeIfAbsent(
                    key(event.topic().id(), partition), key -> new LinkedHashSet<>(partition.inSync()));
        }
    }

    /** A broker has lost the end of its logs. */
    void lost(int node) {
        complete.values().forEach(nodes -> nodes.remove(node));
    }

    /**
     * Follows a change.
     *
     * @param caughtUp replicas that the leader has seen catch up
     * @return whether a new leader lacks committed records
     */
    boolean losesRecords(PartitionChanged event, PartitionImage old, List<Integer> caughtUp) {
        PartitionImage now = event.partition();
        Set<Integer> nodes = complete.get(key(event.topicId(), now));
        caughtUp.stream().filter(now.inSync()::contains).forEach(nodes::add);
        boolean elected = now.leader() != old.leader() && now.leader() != NO_LEADER;
        boolean loses = elected && !nodes.contains(now.leader());
        if (loses) {
            nodes.clear();
            nodes.add(now.leader());
        }
        nodes.retainAll(now.replicas());
        return loses;
    }

    /** Leaders commit on what they know now. */
    void commit(ClusterImage image) {
        Values defaults = Values.ofBroker(image.settingsOf(1));
        for (TopicImage topic : image.topics().values()) {
            int minInSync = Values.ofTopic(topic.settings(), defaults).number(TopicSettings.MIN_INSYNC_REPLICAS);
            for (PartitionImage partition : topic.partitions()) {
                int needed = Math.min(minInSync, partition.replicas().size());
                if (partition.hasLeader() && partition.inSync().size() >= needed) {
                    complete.get(key(topic.id(), partition)).retainAll(partition.inSync());
                }
            }
        }
    }

    private static String key(Uuid topic, PartitionImage partition) {
        return topic + "-" + partition.index();
    }
}
