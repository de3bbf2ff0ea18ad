package io.millrace.broker.metadata;

import io.millrace.broker.metadata.ControllerCommand.Drain;
import io.millrace.broker.metadata.ControllerCommand.Drained;
import io.millrace.broker.metadata.MetadataEvent.BrokerChanged;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;

/** Brokers that an operator takes out: what they lead and replicate moves to others. */
final class Drains {

    private Drains() {}

    static Outcome<Drained> drain(Draft draft, Drain command) {
        BrokerImage broker = draft.image().broker(command.id());
        if (broker == null) {
            return Fencing.notRegistered(command.id());
        }
        if (broker.drained() != command.on()) {
            draft.add(new BrokerChanged(broker.takenOut(command.on())));
            draft.settleAll();
        }
        Moved moved = command.on() ? moveAway(draft, broker.id(), new Loads(draft)) : new Moved(0, 0);
        return new Outcome.Done<>(new Drained(draft.image().broker(broker.id()), moved.moving, moved.waiting));
    }

    /** Goes on with what had to wait for brokers. */
    static void moveOn(Draft draft) {
        for (BrokerImage broker : draft.image().brokers().values()) {
            if (broker.drained()) {
                moveAway(draft, broker.id(), new Loads(draft));
            }
        }
    }

    private static Moved moveAway(Draft draft, int node, Loads loads) {
        int moving = 0;
        int waiting = 0;
        for (TopicImage topic : draft.image().topics().values()) {
            for (int index = 0; index < topic.partitions().size(); index++) {
                PartitionImage partition = draft.partition(topic, index);
                if (!partition.isReplica(node)) {
                    continue;
                }
                if (!partition.target().contains(node) || moveAway(draft, topic, partition, node, loads)) {
                    moving++;
                } else {
                    waiting++;
                }
            }
        }
        return new Moved(moving, waiting);
    }

    private static boolean moveAway(Draft draft, TopicImage topic, PartitionImage partition, int node, Loads loads) {
        List<Integer> target = new ArrayList<>(partition.target());
        OptionalInt successor = Placement.another(draft.image(), target, node, loads);
        if (successor.isEmpty()) {
            return false;
        }
        Collections.replaceAll(target, node, successor.getAsInt());
        loads.add(successor.getAsInt());
        return Reassignments.move(draft, topic, partition, target);
    }

    private record Moved(int moving, int waiting) {}
}
