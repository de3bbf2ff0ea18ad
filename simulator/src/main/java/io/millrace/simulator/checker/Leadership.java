package io.millrace.simulator.checker;

import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.metadata.TopicImage;
import java.util.Map;
import java.util.TreeMap;

/** I7: at most one leader an epoch, and an epoch is never used again. Looks at every state of the metadata in turn. */
public final class Leadership {
    private final Map<String, Epoch> newest = new TreeMap<>();

    public void check(ClusterImage image) {
        for (TopicImage topic : image.topics().values()) {
            for (PartitionImage partition : topic.partitions()) {
                check(topic.name() + "-" + partition.index(), partition);
            }
        }
    }

    private void check(String name, PartitionImage now) {
        Epoch before = newest.put(name, new Epoch(now.leader(), now.leaderEpoch(), now.partitionEpoch()));
        if (now.hasLeader() && !now.inSync().contains(now.leader())) {
            throw new Violation("I7", name + " is led by " + now.leader() + ", in sync are " + now.inSync());
        }
        if (before == null) {
            return;
        }
        boolean otherLeader = before.leader != now.leader() && now.leaderEpoch() <= before.leaderEpoch;
        if (otherLeader || now.leaderEpoch() < before.leaderEpoch || now.partitionEpoch() < before.partitionEpoch) {
            throw new Violation("I7", name + " was " + before + ", and is now " + now);
        }
    }

    private record Epoch(int leader, int leaderEpoch, int partitionEpoch) {}
}
