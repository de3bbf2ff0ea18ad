package io.millrace.kernel.sim;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The wires between the machines of a world, and what is wrong with them. Everything is set by pair and direction. A
 * stream of bytes keeps its order and has no holes: what cannot get through holds up what comes behind, until the way is
 * free or the connection breaks.
 */
public final class SimNetwork {
    private static final int FIRST_FREE_PORT = 40_000;
    private static final int PER_MILLE = 1000;

    private final SimWorld world;
    private final Map<String, Wire> wires = new TreeMap<>();
    private final Set<SimStream> stalled = new LinkedHashSet<>();
    private int nextPort = FIRST_FREE_PORT;
    private long minMs = 1;
    private long maxMs = 1;

    SimNetwork(SimWorld world) {
        this.world = world;
    }

    /** How long each frame is under way where nothing else is set, in milliseconds of virtual time. */
    public void delay(long min, long max) {
        minMs = min;
        maxMs = max;
    }

    /** The same from one machine to another. */
    public void delay(String from, String to, long min, long max) {
        Wire wire = wire(from, to);
        wire.minMs = min;
        wire.maxMs = max;
    }

    /** How many of a thousand frames are lost for good, each with its connection. */
    public void loss(String from, String to, int perMille) {
        wire(from, to).lossPerMille = perMille;
    }

    /** Nothing gets through in this direction any more. */
    public void cut(String from, String to) {
        wire(from, to).cut = true;
    }

    /** All is well in this direction again. */
    public void heal(String from, String to) {
        wires.remove(key(from, to));
        deliver();
    }

    /** All is well everywhere. */
    public void healAll() {
        wires.clear();
        deliver();
    }

    private void deliver() {
        for (SimStream stream : List.copyOf(stalled)) {
            if (!isCut(stream.from(), stream.to())) {
                stalled.remove(stream);
                stream.flow();
            }
        }
    }

    /** Resets all connections between two machines. */
    public void reset(String one, String other) {
        SimMachine at = world.machine(one);
        if (at.isUp()) {
            at.process().sockets().reset(world.machine(other));
        }
    }

    /** Whether two machines can talk, in both directions. */
    public boolean reach(String one, String other) {
        return !isCut(one, other) && !isCut(other, one);
    }

    boolean isCut(String from, String to) {
        Wire wire = known(from, to);
        return wire != null && wire.cut;
    }

    void stalls(SimStream stream) {
        stalled.add(stream);
    }

    boolean loses(String from, String to) {
        Wire wire = known(from, to);
        return wire != null && wire.lossPerMille > 0 && world.random().nextInt(PER_MILLE) < wire.lossPerMille;
    }

    long delayMs(String from, String to) {
        Wire wire = known(from, to);
        boolean special = wire != null && wire.maxMs >= 0;
        long min = special ? wire.minMs : minMs;
        long max = special ? wire.maxMs : maxMs;
        return min == max ? min : world.random().nextLong(min, max + 1);
    }

    int freePort() {
        return nextPort++;
    }

    /** What is wrong with a wire, or null; most of the time all of them are well. */
    private Wire known(String from, String to) {
        return wires.isEmpty() ? null : wires.get(key(from, to));
    }

    private Wire wire(String from, String to) {
        return wires.computeIfAbsent(key(from, to), made -> new Wire());
    }

    private static String key(String from, String to) {
        return from + ">" + to;
    }

    private static final class Wire {
        private long minMs = -1;
        private long maxMs = -1;
        private int lossPerMille;
        private boolean cut;
    }
}
