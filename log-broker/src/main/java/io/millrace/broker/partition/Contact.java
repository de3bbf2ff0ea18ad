package io.millrace.broker.partition;

/** What a broker can tell of its standing from how long the controller has answered nothing. */
public enum Contact {
    /** The controller has answered lately: this broker is not fenced for its silence. */
    HELD,
    /** It may be fenced, so that others may lead what it leads without its knowing. */
    DOUBTFUL,
    /** It is fenced by now, whichever of its heartbeats have arrived, and others have had the time to take over. */
    LOST
}
