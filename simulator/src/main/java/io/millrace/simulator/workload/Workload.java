package io.millrace.simulator.workload;

/** Something that clients do, again and again. */
public interface Workload {

    void start();

    /** Begins nothing new. */
    void stop();

    /** Whether everything that was begun has ended. */
    boolean isIdle();
}
