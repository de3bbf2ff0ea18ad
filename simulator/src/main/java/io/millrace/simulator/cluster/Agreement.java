package io.millrace.simulator.cluster;

import io.millrace.broker.QuorumMaker;
import io.millrace.broker.metadata.MetadataQuorum.Origin;
import io.millrace.kernel.EventCodec;
import io.millrace.kernel.sim.SimMachine;
import io.millrace.kernel.sim.SimWorld;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What a majority of voters agrees on, for all nodes of a world: as a quorum behaves to those who use it, without the
 * messages by which a real one comes to it.
 *
 * <pre>
 * nobody leads --after a while, a voter that reaches a majority--> leading     in the next term
 * leading      --cannot reach a majority for a while-->            nobody leads
 * </pre>
 *
 * A proposal is committed once its leader reaches a majority. Of those that were under way when a leader is given up, the
 * ones that a majority had by then are committed all the same, others perhaps, and the rest is lost: always in their
 * order, and without gaps.
 */
public final class Agreement {
    static final int NOBODY = -1;
    private static final long TICK_MS = 40;
    private static final long LEASE_MS = 400;

    private final SimWorld world;
    private final SplittableRandom random;
    private final int voters;
    private final Map<Integer, Seat> seats = new TreeMap<>();
    private final List<Unit> log = new ArrayList<>();
    private final Deque<Proposal> underWay = new ArrayDeque<>();
    private final List<Consumer<Unit>> followers = new ArrayList<>();
    private int leader = NOBODY;
    private long term;
    private long proposals;
    private long majoritySeenMs;
    private long electionAtMs;

    /** @param voters how many of the nodes vote: those with the lowest numbers */
    public Agreement(SimWorld world, SplittableRandom random, int voters) {
        this.world = world;
        this.random = random;
        this.voters = voters;
        world.at(TICK_MS, "agreement", this::tick);
    }

    /** A node's way to take part. */
    public QuorumMaker quorumOf(SimMachine machine) {
        return (host, node, loop) ->
                new SimQuorum(this, seats.computeIfAbsent(node.id(), id -> new Seat(id, machine, id <= voters)), loop);
    }

    /** Hears of every unit that is committed, at that moment. */
    public void follow(Consumer<Unit> follower) {
        followers.add(follower);
    }

    /** Which node leads, or -1. */
    public int leader() {
        return leader;
    }

    long term() {
        return term;
    }

    List<Unit> log() {
        return log;
    }

    SimWorld world() {
        return world;
    }

    SplittableRandom random() {
        return random;
    }

    Map<Integer, Seat> seats() {
        return seats;
    }

    private void tick() {
        if (leader != NOBODY) {
            if (hasMajority(seats.get(leader))) {
                majoritySeenMs = world.nowMs();
                commitWhatHasMajority();
            } else if (world.nowMs() - majoritySeenMs > LEASE_MS) {
                depose();
            }
        } else if (world.nowMs() >= electionAtMs) {
            elect();
        }
        seats.values().forEach(seat -> seat.look(this));
        world.at(random.nextLong(TICK_MS / 2, TICK_MS * 2), "agreement", this::tick);
    }

    /** Whether a node can get a majority to agree to something now. */
    private boolean hasMajority(Seat node) {
        long reached = seats.values().stream()
                .filter(seat -> seat.votes() && seat.takesPart())
                .filter(seat -> linked(node, seat))
                .count();
        return node.takesPart() && reached > voters / 2;
    }

    boolean linked(Seat one, Seat other) {
        return one == other
                || world.network().reach(one.machine().name(), other.machine().name());
    }

    /** A node has started: if it led before, it does no more. */
    void started(Seat seat) {
        if (seat.node() == leader) {
            depose();
        }
    }

    /** The leader's term ends: it has stepped down, or the others have lost patience with it. */
    public void depose() {
        if (leader == NOBODY) {
            return;
        }
        while (!underWay.isEmpty() && (underWay.peek().hasMajority || random.nextInt(4) == 0)) {
            commit(underWay.remove());
        }
        underWay.clear();
        world.note("agreement", "term " + term + " of n" + leader + " has ended");
        leader = NOBODY;
        electionAtMs = world.nowMs() + random.nextLong(50, 800);
    }

    /** A node says that the leader is dead: true or not, if the others hear it they elect one soon. */
    void leaderDied(Seat by, int node) {
        if (node == leader && by.votes() && hasMajority(by)) {
            depose();
            electionAtMs = world.nowMs() + random.nextLong(5, 60);
        }
    }

    private void elect() {
        List<Seat> able = seats.values().stream()
                .filter(seat -> seat.votes() && hasMajority(seat))
                .toList();
        if (able.isEmpty()) {
            return;
        }
        leader = able.get(random.nextInt(able.size())).node();
        term++;
        proposals = 0;
        majoritySeenMs = world.nowMs();
        world.note("agreement", "n" + leader + " leads in term " + term);
    }

    void propose(int node, long inTerm, long number, List<EventCodec.Entry> records) {
        if (node != leader || inTerm != term || number != proposals + 1) {
            return;
        }
        proposals = number;
        Proposal made = new Proposal(new Origin(inTerm, number), records);
        underWay.add(made);
        world.at(random.nextLong(1, 8), "proposal", () -> {
            made.arrived = true;
            commitWhatHasMajority();
        });
    }

    private void commitWhatHasMajority() {
        if (leader == NOBODY || !hasMajority(seats.get(leader))) {
            return;
        }
        underWay.stream().filter(proposal -> proposal.arrived).forEach(proposal -> proposal.hasMajority = true);
        boolean any = false;
        while (!underWay.isEmpty() && underWay.peek().hasMajority) {
            commit(underWay.remove());
            any = true;
        }
        if (any) {
            seats.values().forEach(seat -> seat.look(this));
        }
    }

    private void commit(Proposal proposal) {
        Unit unit = new Unit(log.size() + 1, proposal.origin, proposal.records);
        log.add(unit);
        followers.forEach(follower -> follower.accept(unit));
    }

    /** A unit of the log. */
    public record Unit(long position, Origin origin, List<EventCodec.Entry> records) {}

    private static final class Proposal {
        private final Origin origin;
        private final List<EventCodec.Entry> records;
        private boolean arrived;
        private boolean hasMajority;

        Proposal(Origin origin, List<EventCodec.Entry> records) {
            this.origin = origin;
            this.records = List.copyOf(records);
        }
    }
}
