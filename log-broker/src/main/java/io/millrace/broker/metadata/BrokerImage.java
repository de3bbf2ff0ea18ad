package io.millrace.broker.metadata;

import org.apache.kafka.common.Uuid;

/**
 * A broker as clients and other brokers reach it.
 *
 * @param rack empty where none is known
 * @param epoch rises with every registration of the broker; what it asks for under an older one is refused
 * @param incarnation made anew each time its process starts
 * @param state whether it may lead partitions and be in sync
 * @param drained whether an operator has taken it out: it is DRAINING wherever it would be ACTIVE, also after a restart
 */
public record BrokerImage(
        int id, String host, int port, String rack, long epoch, Uuid incarnation, State state, boolean drained) {

    public enum State {
        /** It serves. */
        ACTIVE,
        /** It leads nothing and gets no new partitions, but replicates on: before a stop, or to be taken out. */
        DRAINING,
        /** It has not been heard of, or has not caught up since its start. */
        FENCED
    }

    public boolean active() {
        return state == State.ACTIVE;
    }

    public boolean fenced() {
        return state == State.FENCED;
    }

    BrokerImage in(State other) {
        return new BrokerImage(id, host, port, rack, epoch, incarnation, other, drained);
    }

    /** Heard of again: it serves, as far as it is not taken out. */
    BrokerImage unfenced() {
        return in(drained ? State.DRAINING : State.ACTIVE);
    }

    /** Taken out by an operator, or let in again. */
    BrokerImage takenOut(boolean out) {
        BrokerImage changed = new BrokerImage(id, host, port, rack, epoch, incarnation, state, out);
        return fenced() ? changed : changed.unfenced();
    }
}
