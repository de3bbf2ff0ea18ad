package io.millrace.simulator.checker;

import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.metadata.TopicImage;
import java.util.Map;
import java.util.TreeMap;

/**
 * I7: at most one leader an epoch, and an epoch is never used again, nor goes on when a replica goes. Looks at every
 * state of the metadata in turn.
 */
public final class Leadership {
    private final Map<String, PartitionImage> newest = new TreeMap<>();

    public void check(ClusterImage image) {
        for (TopicImage topic : image.topics().values()) {
            for (PartitionImage partition : topic.partitions()) {
                check(topic.name() + "-" + partition.index(), partition);
            }
        }
    }

    private void check(String name, PartitionImage now) {
        PartitionImage before = newest.put(name, now);
        if (now.hasLeader() && !now.inSync().contains(now.leader())) {
            throw new Violation("I7", name + " is led by " + now.leader() + ", in sync are " + now.inSync());
        }
        if (before == null) {
            return;
        }
        boolean ends = before.leader() != now.leader() || !now.replicas().containsAll(before.replicas());
        boolean begins = now.leaderEpoch() > before.leaderEpoch();
        boolean goesBack = now.leaderEpoch() < before.leaderEpoch() || now.partitionEpoch() < before.partitionEpoch();
        if ((ends && !begins) || goesBack) {
            throw new Violation("I7", name + " was " + before + ", and is now " + now);
        }
    }
}
