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
        Item item = new Item(label, () -> {
            if (!broken) {
                arrival.run();
            }
        });
        world.unseen(atMs - world.nowMs(), () -> onTheWire(item));
    }

    /** Also while the other side sleeps: what its system has taken in stays in front of what comes after a cut. */
    private void onTheWire(Item item) {
        if (broken) {
            return;
        }
        if (held.isEmpty() && !world.network().isCut(from, to)) {
            target.process().enter(item.label, item.arrival);
        } else {
            stall(item);
        }
    }

    private void stall(Item item) {
        held.add(item);
        if (held.size() == 1) {
            world.network().stalls(this);
            long patienceMs = world.random().nextLong(STALLED_MIN_MS, STALLED_MAX_MS);
            world.at(patienceMs, "retransmission ends", () -> giveUp(item));
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
