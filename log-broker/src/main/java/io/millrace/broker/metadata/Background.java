package io.millrace.broker.metadata;

import io.millrace.broker.metadata.MetadataEvent.BrokerChanged;
import io.millrace.broker.metadata.MetadataEvent.Tidied;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * What the controller does of its own accord: soon after it has begun and whenever a broker becomes active, it gives
 * internal topics and drains the brokers that they lacked; now and then it restores preferred leaders.
 */
final class Background {
    private static final int INTERNAL_REPLICAS = 3;
    private static final long AT_ONCE = 0;

    private final ControllerTimes times;
    private boolean wanted = true;
    private long balanceAtMs;

    Background(ControllerTimes times, long nowMs) {
        this.times = times;
        this.balanceAtMs = nextBalanceMs(nowMs);
    }

    private long nextBalanceMs(long nowMs) {
        return times.autoBalance() ? nowMs + times.balanceIntervalMs() : Long.MAX_VALUE;
    }

    /** How many replicas the partitions of an internal topic shall have. */
    static int internalReplicas(ClusterImage image) {
        return Math.min(INTERNAL_REPLICAS, image.active().size());
    }

    long nextMs() {
        return wanted ? AT_ONCE : balanceAtMs;
    }

    void work(Draft draft, long nowMs) {
        if (nextMs() > nowMs) {
            return;
        }
        // The settings of this node may differ from those of the controller before it.
        draft.settleAll();
        growInternalTopics(draft);
        Drains.moveOn(draft);
        boolean balance = balanceAtMs <= nowMs;
        if (balance) {
            Elections.restorePreferred(draft);
        }
        draft.add(new Tidied(nowMs, balance));
    }

    private static void growInternalTopics(Draft draft) {
        int wanted = internalReplicas(draft.image());
        for (TopicImage topic : draft.image().topics().values()) {
            if (topic.internal()) {
                grow(draft, topic, wanted);
            }
        }
    }

    private static void grow(Draft draft, TopicImage topic, int wanted) {
        Loads loads = new Loads(draft);
        for (int index = 0; index < topic.partitions().size(); index++) {
            PartitionImage partition = draft.partition(topic, index);
            List<Integer> target = new ArrayList<>(partition.target());
            while (target.size() < wanted) {
                OptionalInt another = Placement.another(draft.image(), target, PartitionImage.NO_LEADER, loads);
                if (another.isEmpty()) {
                    break;
                }
                target.add(another.getAsInt());
                loads.add(another.getAsInt());
            }
            if (target.size() > partition.target().size()) {
                Reassignments.move(draft, topic, partition, target);
            }
        }
    }

    void apply(MetadataEvent event) {
        if (event instanceof BrokerChanged changed && changed.broker().active()) {
            wanted = true;
        } else if (event instanceof Tidied tidied) {
            wanted = false;
            balanceAtMs = tidied.balanced() ? nextBalanceMs(tidied.atMs()) : balanceAtMs;
        }
    }
}
