package io.millrace.kernel.sim;

import io.millrace.kernel.Host;
import java.util.SplittableRandom;

/**
 * A machine with a name, a disk and at most one process, which may die, sleep, or lose its power.
 *
 * <pre>
 * off, dead --{@link #boot}-->     running
 * running   --{@link #kill}-->     dead      others see their connections reset, and new ones refused
 * running   --{@link #powerCut}--> off       others hear nothing; what was not forced to the disk may be gone
 * running   --{@link #pause}-->    asleep    connections stand, and nothing runs
 * asleep    --{@link #resume}-->   running   all that was due runs at once
 * </pre>
 */
public final class SimMachine {
    private final SimWorld world;
    private final String name;
    private final SimDisk disk;
    private SimProcess process;
    private boolean powered = true;
    private long wallAheadMs;

    SimMachine(SimWorld world, String name, SimDisk disk) {
        this.world = world;
        this.name = name;
        this.disk = disk;
    }

    public String name() {
        return name;
    }

    public SimDisk disk() {
        return disk;
    }

    /** Starts a process, and returns its seams; what it does at first must be done in {@link #run}. */
    public Host boot() {
        if (isUp()) {
            throw new IllegalStateException(name + " runs a process already");
        }
        powered = true;
        process = new SimProcess(world, this, world.random().split(), Pace.ANY);
        return process.host(disk);
    }

    /** Runs a task as the process, if there is one, once it is not asleep. */
    public void run(String label, Runnable task) {
        if (isUp()) {
            world.at(process, 0, label, task);
        }
    }

    /** Whether a process is there, be it asleep. */
    public boolean isUp() {
        return process != null && process.isAlive();
    }

    public boolean isAsleep() {
        return isUp() && process.isPaused();
    }

    boolean isPowered() {
        return powered;
    }

    SimProcess process() {
        return process;
    }

    /** The process dies; its files stay as they are. */
    public void kill() {
        if (isUp()) {
            process.die(true);
            disk.killOwner();
        }
    }

    /** The power fails; chance decides what survives of that which was not forced. */
    public void powerCut(SplittableRandom chance) {
        if (isUp()) {
            process.die(false);
        }
        powered = false;
        disk.crash(chance);
    }

    public void pause() {
        if (isUp()) {
            process.pause();
        }
    }

    public void resume() {
        if (isUp()) {
            process.resume();
        }
    }

    /** Sets the wall clock, as its keeper may at any time; durations are measured by another one. */
    public void setClock(long aheadMs) {
        wallAheadMs = aheadMs;
    }

    long wallAheadMs() {
        return wallAheadMs;
    }
}
