package io.millrace.broker.metadata;

/** This node is not the cluster's controller; whether what was asked has happened is not known. */
public final class NotController extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int leader;

    NotController(int leader) {
        super(leader < 0 ? "no controller is known just now" : "the controller is node " + leader, null, false, false);
        this.leader = leader;
    }

    /** The node to ask instead, or -1. */
    public int leader() {
        return leader;
    }
}
