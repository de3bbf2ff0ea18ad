package io.millrace.simulator.workload;

/** A workload that does one thing after another; it can be stopped between two of them. */
abstract class Turns implements Workload {
    private final Bench bench;
    private boolean stopped;
    private boolean idle;

    Turns(Bench bench) {
        this.bench = bench;
    }

    final Bench bench() {
        return bench;
    }

    /** Begins the next thing, unless there is nothing more to do. */
    final void next(Runnable turn) {
        if (isOver()) {
            idle = true;
        } else {
            turn.run();
        }
    }

    /** The same after a while. */
    final void pause(int mostMs, Runnable turn) {
        bench.client().after(1 + bench.client().chance(mostMs), () -> next(turn));
    }

    final boolean isStopped() {
        return stopped;
    }

    /** Whether there is nothing more to do. */
    boolean isOver() {
        return stopped;
    }

    @Override
    public final void stop() {
        stopped = true;
    }

    @Override
    public boolean isIdle() {
        return idle;
    }
}
