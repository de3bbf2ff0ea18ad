package io.millrace.testbed;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;

/** Several Millrace servers that are one cluster, each in a rack of its own. */
public final class MillraceCluster implements RunningBroker {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String CLUSTER_ID = "Ei7UyMCRSUeDhOLyUaqxLA";

    private final List<MillraceServer> nodes;

    private MillraceCluster(List<MillraceServer> nodes) {
        this.nodes = nodes;
    }

    /** Starts nodes 1 to {@code count}; returns when all of them serve. */
    public static MillraceCluster start(Path folder, int count, String... settings) {
        MillraceCluster cluster = new MillraceCluster(prepare(folder, count, JvmFlags.SMALL, settings));
        cluster.nodes.forEach(MillraceServer::launch);
        cluster.nodes.forEach(MillraceServer::awaitAnswer);
        return cluster;
    }

    /** The nodes of one cluster, not started yet; topics have a replica on each, and a majority of them has to be in sync. */
    public static List<MillraceServer> prepare(Path folder, int count, JvmFlags flags, String... settings) {
        List<Integer> ports =
                IntStream.range(0, 2 * count).mapToObj(i -> FreePort.find()).toList();
        String voters = IntStream.range(0, count)
                .mapToObj(i -> "%d@127.0.0.1:%d:%d".formatted(i + 1, ports.get(2 * i), ports.get(2 * i + 1)))
                .collect(Collectors.joining(","));
        List<MillraceServer> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<String> own = new ArrayList<>(List.of(
                    "node.id=" + (i + 1),
                    "broker.rack=rack-" + (i + 1),
                    "cluster.id=" + CLUSTER_ID,
                    "cluster.voters=" + voters,
                    "default.replication.factor=" + count,
                    "min.insync.replicas=" + (count / 2 + 1)));
            own.addAll(List.of(settings));
            nodes.add(MillraceServer.at(
                    folder.resolve("node-" + (i + 1)), ports.get(2 * i), flags, own.toArray(String[]::new)));
        }
        return nodes;
    }

    /** @param id from 1 on */
    public MillraceServer node(int id) {
        return nodes.get(id - 1);
    }

    public List<MillraceServer> nodes() {
        return nodes;
    }

    @Override
    public String bootstrap() {
        return nodes.stream().map(MillraceServer::bootstrap).collect(Collectors.joining(","));
    }

    /** Returns when every replica of every topic is in sync. */
    public void awaitInSync() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap()))) {
            await("all replicas are in sync")
                    .atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() ->
                            admin
                                    .describeTopics(admin.listTopics().names().get())
                                    .allTopicNames()
                                    .get()
                                    .values()
                                    .stream()
                                    .allMatch(MillraceCluster::isInSync));
        }
    }

    private static boolean isInSync(TopicDescription topic) {
        return topic.partitions().stream()
                .allMatch(partition ->
                        partition.isr().size() == partition.replicas().size());
    }

    @Override
    public void close() {
        nodes.forEach(MillraceServer::close);
    }
}
