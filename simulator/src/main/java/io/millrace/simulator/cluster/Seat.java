package io.millrace.simulator.cluster;

import io.millrace.kernel.sim.SimMachine;

/** A node's place in the agreement, which outlives its processes: what it has heard of is on its disk. */
final class Seat {
    private final int node;
    private final SimMachine machine;
    private final boolean votes;
    private SimQuorum quorum;
    private long heardUpTo;

    Seat(int node, SimMachine machine, boolean votes) {
        this.node = node;
        this.machine = machine;
        this.votes = votes;
    }

    int node() {
        return node;
    }

    SimMachine machine() {
        return machine;
    }

    boolean votes() {
        return votes;
    }

    /** Up to which unit the node has the log. */
    long heardUpTo() {
        return heardUpTo;
    }

    void heard(long upTo) {
        heardUpTo = Math.max(heardUpTo, upTo);
    }

    /** A process takes the place. */
    void taken(SimQuorum by) {
        quorum = by;
    }

    boolean takesPart() {
        return quorum != null && quorum.runs() && machine.isUp() && !machine.isAsleep();
    }

    /** Tells the node's process what is new, where it can hear it. */
    void look(Agreement agreement) {
        if (takesPart()) {
            quorum.look(agreement);
        }
    }
}
