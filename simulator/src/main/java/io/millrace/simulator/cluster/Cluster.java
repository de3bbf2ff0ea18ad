package io.millrace.simulator.cluster;

import io.millrace.broker.BrokerConfig;
import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.settings.BrokerSettings;
import io.millrace.kernel.sim.SimDisk;
import io.millrace.kernel.sim.SimWorld;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** All brokers, and what they have agreed on. */
public final class Cluster {
    private static final int VOTERS = 3;
    private static final int RACKS = 3;

    private final SimWorld world;
    private final Agreement agreement;
    private final MetadataHistory metadata = new MetadataHistory();
    private final List<Broker> brokers;

    /** @param settings of every broker */
    public Cluster(SimWorld world, SplittableRandom random, int size, Map<String, String> settings) {
        this.world = world;
        agreement = new Agreement(world, random, VOTERS);
        agreement.follow(unit -> metadata.committed(unit).forEach(event -> world.note("metadata", event.toString())));
        brokers = IntStream.rangeClosed(1, size)
                .mapToObj(id -> broker(id, settings))
                .toList();
    }

    private Broker broker(int id, Map<String, String> settings) {
        Map<String, String> own = new TreeMap<>(settings);
        own.put(BrokerSettings.NODE_ID, String.valueOf(id));
        own.put(BrokerSettings.HOST, name(id));
        own.put(BrokerSettings.RACK, rack(id));
        own.put(BrokerSettings.PORT, String.valueOf(Broker.PORT));
        own.put(BrokerSettings.CLUSTER_ID, "simulated");
        own.put(
                BrokerSettings.CLUSTER_VOTERS,
                IntStream.rangeClosed(1, VOTERS)
                        .mapToObj(voter -> voter + "@" + name(voter) + ":" + Broker.PORT + ":9192")
                        .collect(Collectors.joining(",")));
        SimDisk disk = new SimDisk();
        return new Broker(id, world.machine(name(id), disk), new BrokerConfig(Broker.DATA, own), agreement);
    }

    public static String name(int broker) {
        return "n" + broker;
    }

    /** Where a broker is, or a client of that number. */
    public static String rack(int number) {
        return "rack-" + number % RACKS;
    }

    public SimWorld world() {
        return world;
    }

    public List<Broker> brokers() {
        return brokers;
    }

    public Agreement agreement() {
        return agreement;
    }

    public MetadataHistory metadata() {
        return metadata;
    }

    public void start() {
        brokers.forEach(Broker::start);
    }

    private Stream<PartitionImage> partitions() {
        return metadata.newest().topics().values().stream().flatMap(topic -> topic.partitions().stream());
    }

    /** Whether every replica is in sync, and its machine up: the metadata alone may not know yet that one has died. */
    public boolean allUpAndInSync() {
        return brokers.stream().allMatch(broker -> broker.machine().isUp()) && allInSync();
    }

    private boolean allInSync() {
        return partitions()
                .allMatch(partition ->
                        partition.inSync().size() == partition.replicas().size());
    }

    /** What keeps it from being whole, for people. */
    public String ailments() {
        ClusterImage image = metadata.newest();
        String processes = brokers.stream()
                .filter(broker -> broker.node() == null || broker.machine().isAsleep())
                .map(broker -> broker.machine().name())
                .collect(Collectors.joining(", "));
        String fenced = image.brokers().values().stream()
                .filter(BrokerImage::fenced)
                .map(BrokerImage::toString)
                .collect(Collectors.joining(", "));
        String partitions = image.topics().values().stream()
                .flatMap(topic -> topic.partitions().stream()
                        .filter(one -> one.inSync().size() < one.replicas().size() || !one.hasLeader())
                        .map(one -> topic.name() + " " + one))
                .collect(Collectors.joining(", "));
        return "controller n" + agreement.leader() + "; down or asleep [" + processes + "], fenced [" + fenced
                + "], partitions [" + partitions + "]";
    }

    /** Whether every broker serves, and every partition has a leader and all its replicas. */
    public boolean isWhole() {
        ClusterImage image = metadata.newest();
        List<BrokerImage> serving = image.unfenced();
        return serving.size() == brokers.size()
                && brokers.stream().allMatch(broker -> broker.node() != null)
                && allInSync()
                && partitions().allMatch(partition -> partition.hasLeader() && !partition.isReassigning());
    }
}
