package io.millrace.kernel.sim;

import io.millrace.kernel.Clock;
import io.millrace.kernel.Entropy;
import io.millrace.kernel.Host;
import io.millrace.kernel.Loop;
import io.millrace.kernel.Loops;
import io.millrace.kernel.Timers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;

/** One life of a process on a machine: everything that it would do is dropped when it is dead, and waits while it sleeps. */
final class SimProcess {
    private final SimWorld world;
    private final SimMachine machine;
    private final SplittableRandom random;
    private final Pace pace;
    private final SimSockets sockets;
    private final Deque<Held> held = new ArrayDeque<>();
    private boolean alive = true;
    private boolean paused;

    SimProcess(SimWorld world, SimMachine machine, SplittableRandom random, Pace pace) {
        this.world = world;
        this.machine = machine;
        this.random = random;
        this.pace = pace;
        this.sockets = new SimSockets(world, this);
    }

    Host host(SimDisk disk) {
        Loops loops = this::startLoop;
        return new Host(new SimClock(), new SimTimers(), loops, sockets, disk, new SimEntropy());
    }

    private <M> Loop<M> startLoop(String name, int capacity, Loop.Handler<M> handler) {
        return new SimLoop<>(this, name, handler);
    }

    SimWorld world() {
        return world;
    }

    SimMachine machine() {
        return machine;
    }

    SimSockets sockets() {
        return sockets;
    }

    boolean isAlive() {
        return alive;
    }

    boolean isPaused() {
        return paused;
    }

    /** Whether its loops get their turns in any order that threads could. */
    boolean chance(int outOf) {
        return pace == Pace.ANY && random.nextInt(outOf) == 0;
    }

    long jitterMs() {
        return chance(3) ? random.nextInt(1, 3) : 0;
    }

    /** How many of some messages a loop takes in one turn. */
    int batch(int waiting) {
        return pace == Pace.EXACT || waiting < 2 ? waiting == 0 ? 0 : 1 : random.nextInt(1, waiting + 1);
    }

    Timers.Timer at(long delayMs, String label, Runnable action) {
        return world.at(this, delayMs, label, action);
    }

    long nowMs() {
        return world.nowMs();
    }

    /** Runs an action now, if the process can. */
    void enter(String label, Runnable action) {
        if (!alive) {
            return;
        }
        if (paused || !held.isEmpty()) {
            held.add(new Held(label, action));
            return;
        }
        world.happens(machine.name(), label);
        action.run();
    }

    void die(boolean systemTellsOthers) {
        alive = false;
        held.clear();
        sockets.die(systemTellsOthers);
    }

    void pause() {
        paused = true;
    }

    void resume() {
        paused = false;
        world.at(0, "resume " + machine.name(), this::catchUp);
    }

    private void catchUp() {
        while (alive && !paused && !held.isEmpty()) {
            Held first = held.peek();
            world.happens(machine.name(), first.label);
            first.action.run();
            held.poll();
        }
    }

    private record Held(String label, Runnable action) {}

    private final class SimClock implements Clock {
        @Override
        public long wallMs() {
            return world.nowMs() + machine.wallAheadMs();
        }

        @Override
        public long monotonicMs() {
            return world.elapsedMs();
        }
    }

    private final class SimTimers implements Timers {
        @Override
        public <M> Timer after(long delayMs, Loop<M> loop, M message) {
            return at(Math.max(0, delayMs), "timer", () -> loop.submit(message));
        }
    }

    private final class SimEntropy implements Entropy {
        @Override
        public long nextLong() {
            return random.nextLong();
        }

        @Override
        public int nextInt(int bound) {
            return random.nextInt(bound);
        }
    }
}
