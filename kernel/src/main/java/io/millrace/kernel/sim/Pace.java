package io.millrace.kernel.sim;

/** How the loops of a process get their turns. */
enum Pace {
    /** At once, one message at a time, in the order in which all loops were given them. */
    EXACT,
    /** A little later, several at a time, and sometimes in the sender's turn: whatever threads might do. */
    ANY
}
