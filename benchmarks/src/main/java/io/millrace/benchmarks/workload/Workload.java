package io.millrace.benchmarks.workload;

/** One kind of load. */
public interface Workload {
    /** As given to {@code --only}. */
    String name();

    /** What is done, with all settings of both sides: printed above the figures. */
    String settings();

    void run(Bench bench) throws Exception;
}
