package io.millrace.testbed;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ElectionNotNeededException;

/** Several Millrace servers that are one cluster. */
public final class MillraceCluster implements RunningBroker {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String CLUSTER_ID = "Ei7UyMCRSUeDhOLyUaqxLA";

    private final List<MillraceServer> nodes;

    private MillraceCluster(List<MillraceServer> nodes) {
        this.nodes = nodes;
    }

    /** Starts nodes 1 to {@code count}, each in a rack of its own; returns when all of them serve. */
    public static MillraceCluster start(Path folder, int count, String... settings) {
        return start(folder, new Layout(count, count, Addresses.LOOPBACK), settings);
    }

    /** The same with nodes and racks as the layout says. */
    public static MillraceCluster start(Path folder, Layout layout, String... settings) {
        MillraceCluster cluster = new MillraceCluster(prepare(folder, layout, JvmFlags.SMALL, settings));
        cluster.nodes.forEach(MillraceServer::launch);
        cluster.nodes.forEach(MillraceServer::awaitAnswer);
        return cluster;
    }

    /** Its nodes, not started yet. */
    public static List<MillraceServer> prepare(Path folder, int count, JvmFlags flags) {
        return prepare(folder, new Layout(count, count, Addresses.LOOPBACK), flags);
    }

    private static List<MillraceServer> prepare(Path folder, Layout layout, JvmFlags flags, String... settings) {
        List<Integer> ports = IntStream.range(0, 2 * layout.nodes())
                .mapToObj(i -> FreePort.find())
                .toList();
        String voters = layout.ids()
                .mapToObj(id -> "%d@%s:%d:%d"
                        .formatted(id, layout.addresses().host(id), ports.get(2 * id - 2), ports.get(2 * id - 1)))
                .collect(Collectors.joining(","));
        return layout.ids()
                .mapToObj(id -> {
                    List<String> own = new ArrayList<>(layout.settings(id));
                    own.add("cluster.id=" + CLUSTER_ID);
                    own.add("cluster.voters=" + voters);
                    own.addAll(List.of(settings));
                    return MillraceServer.at(
                                    folder.resolve("node-" + id),
                                    ports.get(2 * id - 2),
                                    flags,
                                    own.toArray(String[]::new))
                            .startedBy(layout.addresses().startedBy(id));
                })
                .toList();
    }

    /** @param nodes which all vote, so 1, 3 or 5; spread over the racks in turn */
    public record Layout(int nodes, int racks, Addresses addresses) {
        private static final int MOST_REPLICAS = 3;

        IntStream ids() {
            return IntStream.rangeClosed(1, nodes);
        }

        /** The nodes of a rack, which has a number from 1 on. */
        public List<Integer> rack(int number) {
            return ids().filter(id -> rackOf(id) == number).boxed().toList();
        }

        private int rackOf(int id) {
            return 1 + (id - 1) % racks;
        }

        private List<String> settings(int id) {
            int replicas = Math.min(MOST_REPLICAS, nodes);
            return List.of(
                    "node.id=" + id,
                    "host=" + addresses.host(id),
                    "broker.rack=rack-" + rackOf(id),
                    "default.replication.factor=" + replicas,
                    "min.insync.replicas=" + (replicas / 2 + 1));
        }
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

    /** Gives every partition the leader that it was made with. */
    public void electPreferredLeaders() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap()))) {
            await("preferred leaders are elected")
                    .atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> admin.electLeaders(ElectionType.PREFERRED, null).partitions().get().values().stream()
                            .allMatch(failure ->
                                    failure.isEmpty() || failure.get() instanceof ElectionNotNeededException));
        }
    }

    /** The leader of every partition, as a broker sees it that answers. */
    public Map<TopicPartition, Integer> leaders() {
        Map<TopicPartition, Integer> leaders =
                new TreeMap<>(Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap()))) {
            admin.describeTopics(admin.listTopics(new ListTopicsOptions().listInternal(true))
                            .names()
                            .get())
                    .allTopicNames()
                    .get()
                    .forEach((name, topic) -> topic.partitions()
                            .forEach(partition -> leaders.put(
                                    new TopicPartition(name, partition.partition()),
                                    partition.leader().id())));
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("the leaders are not known", e);
        }
        return leaders;
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
