package io.millrace.broker.quorum;

import io.millrace.broker.metadata.MetadataQuorum.Listener;
import io.millrace.broker.metadata.MetadataQuorum.Origin;
import io.millrace.kernel.EventCodec;
import io.millrace.kernel.Loop;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What the listener is told, in an order that makes sense: threads of Ratis report here, and the metadata loop runs the
 * calls in the order of the reports. Once the leadership of a term is lost, nothing says again that this node leads in it.
 */
final class Announcements {
    private static final int NONE = -1;

    private final Loop<Runnable> loop;
    private final int self;
    private final List<Consumer<Listener>> held = new ArrayList<>(); // until there is a listener
    private Listener listener;
    private Runnable onLeader = () -> {};
    private boolean begun;
    private long ended = -1; // this node has led in terms up to this one, and does no more
    private volatile Leader leader = new Leader(NONE, 0);
    private volatile long position = -1;

    Announcements(Loop<Runnable> loop, int self) {
        this.loop = loop;
        this.self = self;
    }

    /** What else is to be done then, on the metadata loop. */
    synchronized void whenLeaderChanges(Runnable task) {
        onLeader = task;
    }

    synchronized void start(Listener toTell) {
        listener = toTell;
        held.forEach(this::tell);
        held.clear();
    }

    /** Nothing where that much has been told before: a log that was opened again begins anew. */
    synchronized void snapshot(long upTo, List<EventCodec.Entry> records) {
        if (begun && upTo <= position) {
            return;
        }
        begun = true;
        position = upTo;
        tell(to -> to.snapshot(upTo, records));
    }

    /** A unit of the term in which it was both proposed and written to the log; nothing where it has been told before. */
    synchronized void committed(long at, Origin origin, List<EventCodec.Entry> records) {
        if (at <= position) {
            return;
        }
        if (leader.node == self && origin.term() > leader.term) {
            lost();
        }
        position = at;
        tell(to -> to.committed(at, origin, records));
    }

    synchronized void leader(int node, long term) {
        if (term < leader.term) {
            return; // a report that was overtaken
        }
        if (leader.node == self && (node != self || term > leader.term)) {
            ended = leader.term;
        }
        leader = new Leader(node, term);
        tell(to -> {
            onLeader.run();
            to.leader(node, term);
        });
    }

    /** This node no longer leads. Nobody leads in its term any more, so the next one is the earliest to have a leader. */
    synchronized void lost() {
        if (leader.node == self) {
            leader(NONE, leader.term + 1);
        }
    }

    /** This node leads and has heard of everything before; without effect where that is over already. */
    synchronized void leading(long term) {
        if (term > ended && leader.equals(new Leader(self, term))) {
            tell(to -> to.leading(term));
        }
    }

    /** Any thread. */
    Leader leader() {
        return leader;
    }

    /** Where the newest unit is that was told of, or a snapshot up to it; any thread. */
    long position() {
        return position;
    }

    private void tell(Consumer<Listener> call) {
        if (listener == null) {
            held.add(call);
        } else {
            Listener to = listener;
            loop.submit(() -> call.accept(to));
        }
    }

    /** @param node -1 where none is known */
    record Leader(int node, long term) {}
}
