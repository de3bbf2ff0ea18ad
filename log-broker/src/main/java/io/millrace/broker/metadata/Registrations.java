package io.millrace.broker.metadata;

import io.millrace.broker.metadata.BrokerImage.State;
import io.millrace.broker.metadata.ControllerCommand.RegisterBroker;
import io.millrace.broker.metadata.ControllerCommand.Unregister;
import io.millrace.broker.metadata.MetadataEvent.BrokerChanged;
import io.millrace.broker.metadata.MetadataEvent.BrokerRemoved;
import io.millrace.broker.metadata.MetadataEvent.BrokerSeen;
import io.millrace.broker.wire.ErrorCode;

/** Brokers that start, and brokers that are forgotten. */
final class Registrations {
    private static final int MAX_PORT = 65_535;

    private Registrations() {}

    /** @param sessionOver whether the broker has not been heard of for its session time-out */
    static Outcome<BrokerImage> register(Draft draft, RegisterBroker command, boolean sessionOver, long nowMs) {
        if (command.id() < 0 || command.host().isEmpty() || command.port() < 1 || command.port() > MAX_PORT) {
            return Outcome.refused(
                    ErrorCode.INVALID_REGISTRATION,
                    "broker " + command.id() + " at '" + command.host() + "', port " + command.port()
                            + "; allowed are an id from 0 on, a host name, and a port from 1 to " + MAX_PORT);
        }
        BrokerImage old = draft.image().broker(command.id());
        if (old != null && old.incarnation().equals(command.incarnation())) {
            draft.add(new BrokerSeen(old.id(), nowMs));
            return new Outcome.Done<>(old); // the answer was lost, and it asks again
        }
        if (old != null && !old.fenced() && !sessionOver && !isRestart(old, command) && !command.ownProcess()) {
            return Outcome.refused(
                    ErrorCode.DUPLICATE_BROKER_REGISTRATION,
                    "broker " + old.id() + " lives at " + old.host() + ":" + old.port() + "; the one at "
                            + command.host() + ":" + command.port() + " needs an id of its own, or to wait"
                            + " until the other one is stopped");
        }
        return new Outcome.Done<>(start(draft, command, old, nowMs));
    }

    /** Two processes cannot listen at one place: the old one is gone. */
    private static boolean isRestart(BrokerImage old, RegisterBroker command) {
        return old.host().equals(command.host()) && old.port() == command.port();
    }

    private static BrokerImage start(Draft draft, RegisterBroker command, BrokerImage old, long nowMs) {
        BrokerImage broker = new BrokerImage(
                command.id(),
                command.host(),
                command.port(),
                command.rack(),
                nextEpoch(draft.image()),
                command.incarnation(),
                State.FENCED,
                old != null && old.drained());
        broker = command.ownProcess() ? broker.unfenced() : broker;
        draft.add(new BrokerChanged(broker));
        draft.add(new BrokerSeen(broker.id(), nowMs));
        if (command.clean()) {
            draft.settleAll();
        } else {
            draft.reviseAll(partition -> partition.lose(command.id()));
        }
        return broker;
    }

    /**
     * Above the epochs of all brokers that are registered. One that was unregistered had no replica any more, so that it
     * does no harm when the epoch of its last process is given to another one.
     */
    private static long nextEpoch(ClusterImage image) {
        return 1
                + image.brokers().values().stream()
                        .mapToLong(BrokerImage::epoch)
                        .max()
                        .orElse(0);
    }

    static Outcome<BrokerImage> unregister(Draft draft, Unregister command) {
        BrokerImage broker = draft.image().broker(command.id());
        if (broker == null) {
            return Fencing.notRegistered(command.id());
        }
        if (!broker.fenced()) {
            return Outcome.refused(
                    ErrorCode.INVALID_REQUEST,
                    "broker " + broker.id() + " is " + broker.state() + "; stop it before it is unregistered");
        }
        String replica = firstReplica(draft.image(), broker.id());
        if (replica != null) {
            return Outcome.refused(
                    ErrorCode.INVALID_REQUEST,
                    "broker " + broker.id() + " still has replicas, of " + replica
                            + " for one; drain it before it is unregistered");
        }
        draft.add(new BrokerRemoved(broker.id()));
        return new Outcome.Done<>(broker);
    }

    private static String firstReplica(ClusterImage image, int node) {
        for (TopicImage topic : image.topics().values()) {
            for (PartitionImage partition : topic.partitions()) {
                if (partition.isReplica(node)) {
                    return topic.name() + "-" + partition.index();
                }
            }
        }
        return null;
    }
}
