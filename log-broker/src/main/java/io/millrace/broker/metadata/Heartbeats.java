package io.millrace.broker.metadata;

import io.millrace.broker.metadata.BrokerImage.State;
import io.millrace.broker.metadata.ControllerCommand.Heartbeat;
import io.millrace.broker.metadata.ControllerCommand.HeartbeatAnswer;
import io.millrace.broker.metadata.MetadataEvent.BrokerChanged;
import io.millrace.broker.metadata.MetadataEvent.BrokerSeen;
import java.util.List;

/**
 * What a broker's heartbeat brings about.
 *
 * <pre>
 * FENCED   --caught up--------------> ACTIVE    or DRAINING, where an operator has taken it out
 * ACTIVE   --wants to stop----------> DRAINING  hands over what it leads, and is fenced when it is silent
 * ACTIVE, DRAINING --wants a fence--> FENCED
 * </pre>
 */
final class Heartbeats {

    private Heartbeats() {}

    static Outcome<HeartbeatAnswer> beat(Draft draft, Heartbeat beat, long nowMs) {
        Outcome<BrokerImage> known = Fencing.registered(draft.image(), beat.id(), beat.epoch());
        if (!(known instanceof Outcome.Done<BrokerImage> done)) {
            return Outcome.refused(known.error(), known.message());
        }
        draft.add(new BrokerSeen(beat.id(), nowMs));
        boolean handedOver = act(draft, done.value(), beat);
        boolean fenced = draft.image().broker(beat.id()).fenced();
        return new Outcome.Done<>(
                new HeartbeatAnswer(beat.caughtUp(), fenced, beat.wantsStop() && (fenced || handedOver)));
    }

    /** Answers whether the broker had nothing to hand over any more. */
    private static boolean act(Draft draft, BrokerImage broker, Heartbeat beat) {
        if (broker.fenced()) {
            if (beat.caughtUp() && !beat.wantsFence() && !beat.wantsStop()) {
                Fencing.unfence(draft, broker);
            }
            return true;
        }
        if (beat.wantsFence()) {
            Fencing.fence(draft, List.of(broker), "it wants to be");
            return true;
        }
        return !beat.wantsStop() || handOver(draft, broker);
    }

    /**
     * Takes a broker out of in-sync sets and leaderships where others remain. It hears that it may stop with the first
     * heartbeat that finds nothing left to hand over, so that those who take over have the time between to hear of it.
     */
    private static boolean handOver(Draft draft, BrokerImage broker) {
        if (broker.active()) {
            draft.add(new BrokerChanged(broker.in(State.DRAINING)));
        }
        return draft.reviseAll(partition -> partition.leave(broker.id())) == 0;
    }
}
