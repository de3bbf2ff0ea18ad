package io.millrace.broker.quorum;

import static org.awaitility.Awaitility.await;

import io.millrace.kernel.EventCodec;
import io.millrace.kernel.real.RealHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;

/** The nodes of a quorum in one process, over real sockets and files. */
final class QuorumCluster implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);
    static final QuorumSettings SETTINGS = new QuorumSettings(300, 600, 2000, 10_000, 1 << 20);

    private final RealHost host = new RealHost(1);
    private final String clusterId = Uuid.randomUuid().toString();
    private final Path folder;
    private final QuorumSettings settings;
    private final List<QuorumNode> voters;
    private final List<StallingRelay> relays = new ArrayList<>();
    private final Map<Integer, QuorumMember> running = new TreeMap<>();

    QuorumCluster(Path folder, QuorumSettings settings, int voters) {
        this.folder = folder;
        this.settings = settings;
        this.voters = nodes(1, voters);
    }

    /** With ports that nobody listened to a moment ago. */
    private static List<QuorumNode> nodes(int first, int count) {
        List<ServerSocket> taken = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                taken.add(new ServerSocket(0));
            }
            List<QuorumNode> nodes = IntStream.range(0, count)
                    .mapToObj(i ->
                            new QuorumNode(first + i, "127.0.0.1", taken.get(i).getLocalPort()))
                    .toList();
            for (ServerSocket socket : taken) {
                socket.close();
            }
            return nodes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RealHost host() {
        return host;
    }

    Path folder(int id) {
        return folder.resolve("node-" + id);
    }

    QuorumMembership membership(int id) {
        return new QuorumMembership(clusterId, id, voters, List.of());
    }

    /** Starts all voters, each of which the others reach through a relay. */
    void startAllBehindRelays() {
        for (int i = 0; i < voters.size(); i++) {
            StallingRelay relay = new StallingRelay();
            relay.to(voters.get(i).port());
            relays.add(relay);
        }
        for (QuorumNode own : voters) {
            List<QuorumNode> seen = voters.stream()
                    .map(node -> node.equals(own)
                            ? own
                            : new QuorumNode(
                                    node.id(),
                                    node.host(),
                                    relays.get(node.id() - 1).port()))
                    .toList();
            start(own.id(), new QuorumMembership(clusterId, own.id(), seen, List.of()));
        }
    }

    /** The connections of the moment go silent. */
    void stall() {
        relays.forEach(StallingRelay::stall);
    }

    QuorumMember start(int id, EventCodec.Entry... seed) {
        return start(id, membership(id), seed);
    }

    /** Starts a node that is no voter, at a port of its own. */
    QuorumMember startObserver(int id) {
        return start(id, new QuorumMembership(clusterId, id, voters, nodes(id, 1)));
    }

    private QuorumMember start(int id, QuorumMembership membership, EventCodec.Entry... seed) {
        QuorumMember member = new QuorumMember(host.host(), membership, settings, folder(id), List.of(seed));
        running.put(id, member);
        return member;
    }

    List<QuorumMember> startAll() {
        voters.forEach(node -> start(node.id()));
        return members();
    }

    List<QuorumMember> members() {
        return List.copyOf(running.values());
    }

    QuorumMember member(int id) {
        return running.get(id);
    }

    void stop(int id) {
        running.remove(id).close();
    }

    void stopAll() {
        List.copyOf(running.keySet()).forEach(this::stop);
    }

    /** The one that leads, once all that run agree on it. */
    QuorumMember leader() {
        return await().atMost(PATIENCE)
                .until(
                        () -> members().stream()
                                .filter(QuorumMember::leads)
                                .filter(candidate ->
                                        members().stream().allMatch(member -> member.leader() == candidate.id()))
                                .findFirst()
                                .orElse(null),
                        found -> found != null);
    }

    void handOverTo(int id) {
        QuorumMember now = leader();
        if (now.id() != id) {
            now.handOverTo(id);
        }
        await("node " + id + " leads").atMost(PATIENCE).until(() -> leader().id() == id);
    }

    void awaitAll(String key, String value) {
        for (QuorumMember member : members()) {
            await().alias(key + " = " + value + " at node " + member.id())
                    .atMost(PATIENCE)
                    .until(() -> value.equals(member.state().get(key)));
        }
    }

    @Override
    public void close() {
        stopAll();
        relays.forEach(StallingRelay::close);
        host.close();
    }
}
