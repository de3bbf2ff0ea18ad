package io.millrace.kernel.sim;

import io.millrace.kernel.Host;
import io.millrace.kernel.Timers;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A world in which time passes only when it is told to, and everything happens in one order. It has a machine that is
 * always there, for whatever is alone in its world, and any number of machines with a name.
 */
public final class SimWorld {
    static final long START_MS = 1_000_000_000_000L;

    private final PriorityQueue<Event> queue = new PriorityQueue<>();
    private final SplittableRandom random;
    private final SimNetwork network = new SimNetwork(this);
    private final TreeMap<String, SimMachine> machines = new TreeMap<>();
    private final SimProcess local;
    private Consumer<String> trace;
    private long nowMs = START_MS;
    private long nextSequence;
    private long fingerprint;
    private long steps;

    public SimWorld(long seed) {
        random = new SplittableRandom(seed);
        local = new SimProcess(this, new SimMachine(this, "localhost", new SimDisk()), random, Pace.EXACT);
    }

    /** The seams of one node of this world, over that node's disk. */
    public Host host(SimDisk disk) {
        return local.host(disk);
    }

    /** A machine that others reach by its name; nothing runs on it yet. */
    public SimMachine machine(String name, SimDisk disk) {
        SimMachine made = new SimMachine(this, name, disk);
        if (machines.putIfAbsent(name, made) != null) {
            throw new IllegalArgumentException("there is a machine " + name + " already");
        }
        return made;
    }

    /** The wires between machines, and what is wrong with them. */
    public SimNetwork network() {
        return network;
    }

    /** Hears of every event before it happens. */
    public void trace(Consumer<String> listener) {
        trace = listener;
    }

    /** Stands for everything that has happened, in its order: equal runs have equal fingerprints. */
    public long fingerprint() {
        return fingerprint;
    }

    /** How many events have happened. */
    public long steps() {
        return steps;
    }

    public long nowMs() {
        return nowMs;
    }

    /** How long this world has been going on. */
    public long elapsedMs() {
        return nowMs - START_MS;
    }

    /** Lets time pass, running everything that falls due. */
    public void runFor(long durationMs) {
        long untilMs = nowMs + durationMs;
        while (!queue.isEmpty() && queue.peek().atMs <= untilMs) {
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
            if (queue.isEmpty() || queue.peek().atMs > untilMs) {
                nowMs = untilMs;
                return condition.getAsBoolean();
            }
            step();
        }
        return true;
    }

    private void step() {
        Event event = queue.remove();
        nowMs = Math.max(nowMs, event.atMs);
        if (event.cancelled) {
            return;
        }
        if (event.owner == null) {
            if (event.label != null) {
                happens("world", event.label);
            }
            event.action.run();
        } else {
            event.owner.enter(event.label, event.action);
        }
    }

    /** Is called for everything that happens, before it does. */
    void happens(String where, String what) {
        steps++;
        fingerprint = ((fingerprint * 31 + nowMs) * 31 + where.hashCode()) * 31 + what.hashCode();
        if (trace != null) {
            trace.accept(elapsedMs() + " " + where + " " + what);
        }
    }

    /** Notes something that is worth reading in a trace. */
    public void note(String where, String what) {
        happens(where, what);
    }

    /** Queues an action that belongs to nobody's life; the returned handle takes it back. */
    public Timers.Timer at(long delayMs, String label, Runnable action) {
        return at(null, delayMs, label, action);
    }

    /** Queues an action that is no event of its own, for what it brings about is one. */
    void unseen(long delayMs, Runnable action) {
        at(null, delayMs, null, action);
    }

    /** Queues an action of a process. */
    Timers.Timer at(SimProcess owner, long delayMs, String label, Runnable action) {
        Event event = new Event(owner, nowMs + delayMs, nextSequence++, label, action);
        queue.add(event);
        return event;
    }

    SimMachine machine(String name) {
        return machines.get(name);
    }

    SplittableRandom random() {
        return random;
    }

    /** In the order in which events happen: written out, for a run compares them a million times. */
    private static final class Event implements Timers.Timer, Comparable<Event> {
        private final SimProcess owner;
        private final long atMs;
        private final long sequence;
        private final String label;
        private final Runnable action;
        private boolean cancelled;

        Event(SimProcess owner, long atMs, long sequence, String label, Runnable action) {
            this.owner = owner;
            this.atMs = atMs;
            this.sequence = sequence;
            this.label = label;
            this.action = action;
        }

        @Override
        public int compareTo(Event other) {
            return atMs == other.atMs ? Long.compare(sequence, other.sequence) : Long.compare(atMs, other.atMs);
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }
}
