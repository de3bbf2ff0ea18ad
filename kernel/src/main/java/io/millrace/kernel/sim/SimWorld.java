package io.millrace.kernel.sim;

import io.millrace.kernel.Clock;
import io.millrace.kernel.Entropy;
import io.millrace.kernel.Host;
import io.millrace.kernel.Loop;
import io.millrace.kernel.Loops;
import io.millrace.kernel.Timers;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** A world in which time passes only when it is told to, and everything happens in one order. */
public final class SimWorld {
    private static final long START_MS = 1_000_000_000_000L;

    private final PriorityQueue<Event> queue =
            new PriorityQueue<>(Comparator.comparingLong(Event::atMs).thenComparingLong(Event::sequence));
    private final SplittableRandom random;
    private final SimNetwork network = new SimNetwork(this);
    private long nowMs = START_MS;
    private long nextSequence;

    public SimWorld(long seed) {
        random = new SplittableRandom(seed);
    }

    /** The seams of one node of this world, over that node's disk. */
    public Host host(SimDisk disk) {
        Loops loops = this::startLoop;
        return new Host(new SimClock(), new SimTimers(), loops, network, disk, new SimEntropy());
    }

    private <M> Loop<M> startLoop(String name, int capacity, Loop.Handler<M> handler) {
        return new SimLoop<>(this, handler);
    }

    public long nowMs() {
        return nowMs;
    }

    /** Lets time pass, running everything that falls due. */
    public void runFor(long durationMs) {
        long untilMs = nowMs + durationMs;
        while (!queue.isEmpty() && queue.peek().atMs() <= untilMs) {
            step();
        }
        nowMs = untilMs;
    }

    /** Runs what is due now, without letting time pass. */
    public void settle() {
        runFor(0);
    }

    /** Lets time pass until a condition holds. @return false when it still does not hold after {@code limitMs} */
    public boolean runUntil(BooleanSupplier condition, long limitMs) {
        long untilMs = nowMs + limitMs;
        while (!condition.getAsBoolean()) {
            if (queue.isEmpty() || queue.peek().atMs() > untilMs) {
                nowMs = untilMs;
                return condition.getAsBoolean();
            }
            step();
        }
        return true;
    }

    private void step() {
        Event event = queue.remove();
        nowMs = Math.max(nowMs, event.atMs());
        event.action().run();
    }

    /** Queues an action; the returned handle takes it back. */
    Timers.Timer at(long delayMs, Runnable action) {
        Event event = new Event(nowMs + delayMs, nextSequence++, action);
        queue.add(event);
        return () -> queue.remove(event);
    }

    private record Event(long atMs, long sequence, Runnable action) {}

    private final class SimClock implements Clock {
        @Override
        public long wallMs() {
            return nowMs;
        }

        @Override
        public long monotonicMs() {
            return nowMs - START_MS;
        }
    }

    private final class SimTimers implements Timers {
        @Override
        public <M> Timer after(long delayMs, Loop<M> loop, M message) {
            return at(Math.max(0, delayMs), () -> loop.submit(message));
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
