package io.millrace.kernel.sim;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * One direction of a connection.
 *
 * <pre>
 * flowing --the wire is cut--> stalled   what comes is held back, in its order
 * stalled --healed--> flowing
 * stalled --for too long--> broken       the sender sees a reset; the other side does when the wire is healed
 * flowing --a frame is lost--> broken    both sides see a reset, after a while
 * </pre>
 */
final class SimStream {
    private static final long LOST_MIN_MS = 200;
    private static final long LOST_MAX_MS = 5_000;
    private static final long STALLED_MIN_MS = 3_000;
    private static final long STALLED_MAX_MS = 20_000;

    private final SimWorld world;
    private final SimConnection source;
    private final SimConnection target;
    private final String from;
    private final String to;
    private final Queue<Item> held = new ArrayDeque<>();
    private long lastAtMs;
    private boolean broken;

    SimStream(SimWorld world, SimConnection source, SimConnection target) {
        this.world = world;
        this.source = source;
        this.target = target;
        this.from = source.process().machine().name();
        this.to = target.process().machine().name();
    }

    String from() {
        return from;
    }

    String to() {
        return to;
    }

    /** Brings something to the other side, behind all that was sent before. */
    void carry(String label, Runnable arrival) {
        if (broken) {
            return;
        }
        if (world.network().loses(from, to)) {
            broken = true;
            long afterMs = world.random().nextLong(LOST_MIN_MS, LOST_MAX_MS);
            world.at(afterMs, "reset: a frame was lost", source::reset);
            return;
        }
        long atMs = Math.max(lastAtMs, world.nowMs() + world.network().delayMs(from, to));
        lastAtMs = atMs;
        SimProcess there = target.process();
        world.at(there, atMs - world.nowMs(), label, arrival(label, arrival));
    }

    private Runnable arrival(String label, Runnable arrival) {
        return () -> {
            if (broken) {
                return;
            }
            if (held.isEmpty() && !world.network().isCut(from, to)) {
                arrival.run();
            } else {
                stall(label, arrival);
            }
        };
    }

    private void stall(String label, Runnable arrival) {
        if (held.isEmpty()) {
            world.network().stalls(this);
            long patienceMs = world.random().nextLong(STALLED_MIN_MS, STALLED_MAX_MS);
            Item first = new Item(label, arrival);
            held.add(first);
            world.at(patienceMs, "retransmission ends", () -> giveUp(first));
        } else {
            held.add(new Item(label, arrival));
        }
    }

    @SuppressWarnings("ReferenceEquality") // whether it is the one that has waited all the time
    private void giveUp(Item first) {
        if (held.peek() == first && !broken) {
            held.clear();
            held.add(new Item("reset", target::broken));
            source.broken();
        }
    }

    /** The wire is free. */
    void flow() {
        while (!held.isEmpty() && !broken) {
            Item next = held.remove();
            target.process().enter(next.label, next.arrival);
        }
    }

    void breakOff() {
        broken = true;
        held.clear();
    }

    private record Item(String label, Runnable arrival) {}
}
