package io.millrace.broker.peers;

import io.millrace.kernel.Timers;

/** The loop that something belongs to, as far as it runs tasks. */
interface Turn {

    /** Runs a task on the loop, after those that were given before. */
    void run(Runnable task);

    /** The same after a while. */
    Timers.Timer after(long delayMs, Runnable task);
}
