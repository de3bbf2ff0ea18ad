package io.millrace.broker.metadata;

import io.millrace.broker.metadata.MetadataEvent.BrokerChanged;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;

/** Brokers that an operator takes out: what they lead and replicate moves to others. */
final class Drains {

    private Drains() {}

    /** Takes a broker out, or lets it in again; what has moved away by then stays where it is. */
    static void drain(Draft draft, BrokerImage broker, boolean on) {
        draft.add(new BrokerChanged(broker.takenOut(on)));
        draft.settleAll();
        if (on) {
            moveAway(draft, broker.id(), new Loads(draft));
        }
    }

    /** Goes on with what had to wait for brokers. */
    static void moveOn(Draft draft) {
        for (BrokerImage broker : draft.image().brokers().values()) {
            if (broker.drained()) {
                moveAway(draft, broker.id(), new Loads(draft));
            }
        }
    }

    private static void moveAway(Draft draft, int node, Loads loads) {
        for (TopicImage topic : draft.image().topics().values()) {
            for (int index = 0; index < topic.partitions().size(); index++) {
                PartitionImage partition = draft.partition(topic, index);
                if (partition.target().contains(node)) {
                    moveAway(draft, topic, partition, node, loads);
                }
            }
        }
    }

    private static void moveAway(Draft draft, TopicImage topic, PartitionImage partition, int node, Loads loads) {
        List<Integer> target = new ArrayList<>(partition.target());
        OptionalInt successor = Placement.another(draft.image(), target, node, loads);
        if (successor.isEmpty()) {
            return; // until another broker becomes active
        }
        Collections.replaceAll(target, node, successor.getAsInt());
        loads.add(successor.getAsInt());
        Reassignments.move(draft, topic, partition, target);
    }
}
