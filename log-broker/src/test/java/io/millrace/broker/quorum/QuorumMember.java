package io.millrace.broker.quorum;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.broker.metadata.MetadataQuorum;
import io.millrace.kernel.EventCodec;
import io.millrace.kernel.Host;
import io.millrace.kernel.Loop;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.impl.Appenders;

/** A node of a quorum with a loop of its own, which remembers all that it is told. */
final class QuorumMember implements MetadataQuorum.Listener, AutoCloseable {
    private final int id;
    private final Loop<Runnable> loop;
    private final RatisQuorum quorum;
    // what follows is touched by the loop alone
    private final Map<String, String> state = new LinkedHashMap<>();
    private final List<Told> told = new ArrayList<>();
    private Thread thread;
    private long term;
    private long number;
    private int snapshots;
    private volatile long leading = -1;
    private volatile int leader = -1;

    QuorumMember(
            Host host, QuorumMembership membership, QuorumSettings settings, Path folder, List<EventCodec.Entry> seed) {
        id = membership.self();
        loop = host.loops().start("metadata-" + id, 1024, new Loop.Handler<>() {
            @Override
            public void handle(Runnable task) {
                task.run();
            }
        });
        quorum = RatisQuorum.open(host, membership, settings, folder, loop, seed);
        loop.submit(() -> {
            thread = Thread.currentThread();
            quorum.start(this);
        });
    }

    int id() {
        return id;
    }

    RatisQuorum quorum() {
        return quorum;
    }

    boolean leads() {
        return leading > 0;
    }

    long leadingTerm() {
        return leading;
    }

    int leader() {
        return leader;
    }

    int snapshots() {
        return onLoop(() -> snapshots);
    }

    Map<String, String> state() {
        return onLoop(() -> new LinkedHashMap<>(state));
    }

    /** The units told one by one, not those in a snapshot. */
    List<Told> told() {
        return onLoop(() -> List.copyOf(told));
    }

    /** Proposes a unit of one record, as the next of the term. */
    void put(String key, String value) {
        loop.submit(() -> {
            number++;
            quorum.propose(term, number, List.of(entry(key, value)));
        });
    }

    void putNumbers(int from, int to) {
        IntStream.rangeClosed(from, to).forEach(i -> put("key-" + i, "value-" + i));
    }

    /** Proposes with a term and number that are nothing to this member. */
    void proposeAs(long otherTerm, long otherNumber, String key) {
        loop.submit(() -> quorum.propose(otherTerm, otherNumber, List.of(entry(key, "stale"))));
    }

    void hearOfDeath(int node) {
        loop.submit(() -> quorum.leaderDied(node));
    }

    void handOverTo(int other) {
        quorum.raft()
                .handOver(RaftPeerId.valueOf(Integer.toString(other)), 5_000)
                .join();
    }

    void sendAnew() {
        Appenders.restart(quorum.raft().division());
    }

    static EventCodec.Entry entry(String key, String value) {
        return new EventCodec.Entry(key.getBytes(UTF_8), value == null ? null : value.getBytes(UTF_8));
    }

    private <T> T onLoop(Supplier<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.submit(() -> answer.complete(question.get()));
        return answer.join();
    }

    @Override
    public void snapshot(long upTo, List<EventCodec.Entry> records) {
        checkThread();
        state.clear();
        records.forEach(this::apply);
        snapshots++;
    }

    @Override
    public void committed(long position, MetadataQuorum.Origin origin, List<EventCodec.Entry> records) {
        checkThread();
        if (leads() && origin.term() > leading) {
            throw new AssertionError("a unit of term " + origin.term() + " before the end of term " + leading);
        }
        records.forEach(this::apply);
        List<String> keys =
                records.stream().map(record -> new String(record.key(), UTF_8)).toList();
        told.add(new Told(position, origin, keys));
    }

    private void apply(EventCodec.Entry record) {
        String key = new String(record.key(), UTF_8);
        if (record.value() == null) {
            state.remove(key);
        } else {
            state.put(key, new String(record.value(), UTF_8));
        }
    }

    @Override
    public void leader(int node, long ofTerm) {
        checkThread();
        leader = node;
        if (ofTerm != leading) {
            leading = -1;
        }
    }

    @Override
    public void leading(long ofTerm) {
        checkThread();
        term = ofTerm;
        number = 0;
        leading = ofTerm;
    }

    private void checkThread() {
        if (Thread.currentThread() != thread) {
            throw new AssertionError("told by " + Thread.currentThread() + " instead of the loop");
        }
    }

    /** In the order of a node that stops: first the loop, then the quorum. */
    @Override
    public void close() {
        leading = -1;
        loop.close();
        quorum.close();
    }

    record Told(long position, MetadataQuorum.Origin origin, List<String> keys) {}
}
