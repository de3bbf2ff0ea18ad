package io.millrace.simulator.cluster;

import io.millrace.broker.metadata.MetadataQuorum;
import io.millrace.kernel.EventCodec;
import io.millrace.kernel.Loop;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** One process's part in the {@link Agreement}. What it has to tell reaches the process in order, and never at once. */
final class SimQuorum implements MetadataQuorum {
    private static final long SILENCE_MS = 900;
    private static final int MANY_UNITS = 30;

    private final Agreement agreement;
    private final Seat seat;
    private final Loop<Runnable> loop;
    private Listener listener;
    private long told;
    private int leader = Agreement.NOBODY;
    private long term;
    private long leadingTerm;
    private long linkedMs;
    private boolean telling;
    private boolean closed;

    SimQuorum(Agreement agreement, Seat seat, Loop<Runnable> loop) {
        this.agreement = agreement;
        this.seat = seat;
        this.loop = loop;
        seat.taken(this);
    }

    boolean runs() {
        return listener != null && !closed;
    }

    @Override
    public void start(Listener toTell) {
        listener = toTell;
        agreement.started(seat);
        linkedMs = agreement.world().nowMs();
        // what is on the disk may be known to be committed only once a leader says so
        long unsure = Math.min(seat.heardUpTo(), agreement.random().nextLong(4));
        told = seat.heardUpTo() - unsure;
        listener.snapshot(told, newest(told));
    }

    /** The newest record of each key, in the order of the last changes. */
    private List<EventCodec.Entry> newest(long upTo) {
        Map<ByteBuffer, EventCodec.Entry> newest = new LinkedHashMap<>();
        for (Agreement.Unit unit : agreement.log().subList(0, (int) upTo)) {
            for (EventCodec.Entry entry : unit.records()) {
                newest.remove(ByteBuffer.wrap(entry.key()));
                if (entry.value() != null) {
                    newest.put(ByteBuffer.wrap(entry.key()), entry);
                }
            }
        }
        return List.copyOf(newest.values());
    }

    /** Sees whether there is something to tell. */
    void look(Agreement now) {
        boolean linked = isLinked();
        boolean silent = !linked && leader != Agreement.NOBODY && now.world().nowMs() - linkedMs > SILENCE_MS;
        boolean news = linked && (now.leader() != leader || now.log().size() > told || now.term() != term);
        if (linked) {
            linkedMs = now.world().nowMs();
        }
        if ((silent || news) && !telling) {
            telling = true;
            now.world().at(now.random().nextLong(6), "news for n" + seat.node(), this::tell);
        }
    }

    private boolean isLinked() {
        Seat leading = agreement.seats().get(agreement.leader());
        return leading != null && leading.takesPart() && agreement.linked(leading, seat);
    }

    private void tell() {
        telling = false;
        if (!seat.takesPart()) {
            return;
        }
        if (!isLinked()) {
            if (leader != Agreement.NOBODY) {
                // nobody leads in a term that has been given up, so the next one is the earliest to have a leader
                tellLeader(Agreement.NOBODY, leader == seat.node() ? term + 1 : term);
            }
            return;
        }
        tellLeader(agreement.leader(), agreement.term());
        tellUnits();
        if (leader == seat.node() && leadingTerm < term) {
            long now = term;
            leadingTerm = now;
            loop.submit(() -> listener.leading(now));
        }
    }

    private void tellLeader(int node, long inTerm) {
        if (leader != node || term != inTerm) {
            leader = node;
            term = inTerm;
            loop.submit(() -> listener.leader(node, inTerm));
        }
    }

    private void tellUnits() {
        long end = agreement.log().size();
        if (end - told > MANY_UNITS && agreement.random().nextBoolean()) {
            List<EventCodec.Entry> all = newest(end);
            loop.submit(() -> listener.snapshot(end, all));
        } else {
            for (Agreement.Unit unit : agreement.log().subList((int) told, (int) end)) {
                loop.submit(() -> listener.committed(unit.position(), unit.origin(), unit.records()));
            }
        }
        told = end;
        seat.heard(end);
    }

    @Override
    public void propose(long inTerm, long number, List<EventCodec.Entry> records) {
        agreement.propose(seat.node(), inTerm, number, records);
    }

    @Override
    public void batchEnd() {
        // every proposal is on its way already
    }

    @Override
    public void leaderDied(int node) {
        agreement.leaderDied(seat, node);
    }

    @Override
    public boolean holdsMajority() {
        return agreement.leader() == seat.node();
    }

    @Override
    public CompletableFuture<Void> resign() {
        if (agreement.leader() == seat.node()) {
            agreement.depose();
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public Description describe() {
        List<Member> voters = agreement.seats().values().stream()
                .filter(Seat::votes)
                .map(one -> new Member(one.node(), one.heardUpTo(), -1, -1))
                .toList();
        return new Description(leader, term, told, voters, List.of());
    }

    @Override
    public void close() {
        closed = true;
    }
}
