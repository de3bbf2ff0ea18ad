package io.millrace.broker.log;

/** Who appends to a leader's log. */
public enum Origin {
    /** A producer somewhere: everything is checked. */
    CLIENT,
    /** A coordinator of this cluster: markers and internal events, which are not sequenced. */
    COORDINATOR
}
