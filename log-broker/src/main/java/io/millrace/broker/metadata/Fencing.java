package io.millrace.broker.metadata;

import io.millrace.broker.metadata.BrokerImage.State;
import io.millrace.broker.metadata.ControllerCommand.Suspect;
import io.millrace.broker.metadata.MetadataEvent.BrokerChanged;
import io.millrace.broker.wire.ErrorCode;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brokers that serve no more, or again, and what that means for their partitions. */
final class Fencing {
    private static final Logger LOG = LoggerFactory.getLogger(Fencing.class);

    private Fencing() {}

    /** Fences brokers, all at one moment: who was in sync with another one until then is not left behind it. */
    static void fence(Draft draft, List<BrokerImage> brokers, String why) {
        if (!brokers.isEmpty()) {
            LOG.info("fences {}: {}", brokers.stream().map(BrokerImage::id).toList(), why);
            brokers.forEach(broker -> draft.add(new BrokerChanged(broker.in(State.FENCED))));
            draft.settleAll();
        }
    }

    /** Lets a broker serve; it leads what nobody else could. */
    static void unfence(Draft draft, BrokerImage broker) {
        LOG.info("broker {} is no longer fenced", broker.id());
        draft.add(new BrokerChanged(broker.unfenced()));
        draft.settleAll();
    }

    static Outcome<BrokerImage> suspect(Draft draft, Suspect command) {
        Outcome<BrokerImage> known = registered(draft.image(), command.id(), command.epoch());
        if (known instanceof Outcome.Done<BrokerImage> done && !done.value().fenced()) {
            fence(draft, List.of(done.value()), "another broker finds its process dead");
            return new Outcome.Done<>(draft.image().broker(command.id()));
        }
        return known;
    }

    /** The broker, if it is registered under that epoch. */
    static Outcome<BrokerImage> registered(ClusterImage image, int id, long epoch) {
        BrokerImage broker = image.broker(id);
        if (broker == null) {
            return notRegistered(id);
        }
        if (broker.epoch() != epoch) {
            return Outcome.refused(
                    ErrorCode.STALE_BROKER_EPOCH,
                    "broker " + id + " is registered with epoch " + broker.epoch() + ", not " + epoch
                            + "; its process has to register again");
        }
        return new Outcome.Done<>(broker);
    }

    static <T> Outcome<T> notRegistered(int id) {
        return Outcome.refused(ErrorCode.BROKER_ID_NOT_REGISTERED, "no broker " + id + " is registered");
    }
}
