package io.millrace.broker.log;

/** How the last process that had a log ended, which says how much of its files can be believed. */
public enum LastStop {
    /** All that it wrote is there, and described by what it left beside it. */
    CLEAN,
    /** All that it wrote is there, but for what it was just writing. */
    KILLED,
    /** What was not forced may be missing, or be anything. */
    POWER_CUT
}
