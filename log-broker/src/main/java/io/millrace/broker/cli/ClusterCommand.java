package io.millrace.broker.cli;

import io.millrace.broker.settings.BrokerSettings;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeClusterResult;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The brokers of a cluster: describe, take out, let in again. */
@Command(
        name = "cluster",
        description = "Describes the brokers of a cluster, takes one out, or lets it in again.",
        mixinStandardHelpOptions = true)
final class ClusterCommand {
    private static final long LOOK_EVERY_MS = 500;

    @Command(description = "Lists the brokers with what each leads and replicates.", mixinStandardHelpOptions = true)
    int describe(@Mixin ClusterOptions cluster) throws Exception {
        try (Admin admin = cluster.admin()) {
            DescribeClusterResult described = admin.describeCluster();
            Node controller = Answer.of(described.controller());
            List<TopicPartitionInfo> partitions = partitions(admin);
            Rows rows = cluster.rows("broker", "host", "port", "rack", "controller", "leads", "replicates", "behind");
            for (Node node : Answer.of(described.nodes())) {
                rows.add(
                        node.id(),
                        node.host(),
                        node.port(),
                        node.rack(),
                        controller != null && controller.id() == node.id(),
                        leads(partitions, node.id()),
                        replicates(partitions, node.id()),
                        behind(partitions, node.id()));
            }
            rows.print();
        }
        return 0;
    }

    @Command(
            description =
                    "Moves everything that a broker leads and replicates to others, so that it can be stopped for good.",
            mixinStandardHelpOptions = true)
    int drain(
            @Mixin ClusterOptions cluster,
            @Parameters(paramLabel = "BROKER") int broker,
            @Option(names = "--no-wait", description = "returns when the moves have begun") boolean noWait)
            throws Exception {
        try (Admin admin = cluster.admin()) {
            setDrain(admin, broker, true);
            long left = replicates(partitions(admin), broker);
            while (!noWait && left > 0) {
                System.out.println("broker " + broker + " still replicates " + left + " partitions");
                Thread.sleep(LOOK_EVERY_MS);
                left = replicates(partitions(admin), broker);
            }
            System.out.println(
                    left == 0
                            ? "broker " + broker + " leads and replicates nothing any more; stop it when you like"
                            : "broker " + broker + " is being drained; " + left + " partitions are left");
        }
        return 0;
    }

    @Command(
            description = "Lets a broker that was drained lead and replicate again. What has moved away stays there.",
            mixinStandardHelpOptions = true)
    int admit(@Mixin ClusterOptions cluster, @Parameters(paramLabel = "BROKER") int broker) throws Exception {
        try (Admin admin = cluster.admin()) {
            setDrain(admin, broker, false);
            System.out.println("broker " + broker + " may lead and replicate again");
        }
        return 0;
    }

    private static void setDrain(Admin admin, int broker, boolean on) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.BROKER, String.valueOf(broker));
        AlterConfigOp change =
                new AlterConfigOp(new ConfigEntry(BrokerSettings.DRAIN, String.valueOf(on)), AlterConfigOp.OpType.SET);
        Answer.of(
                admin.incrementalAlterConfigs(Map.of(resource, List.of(change))).all());
    }

    private static List<TopicPartitionInfo> partitions(Admin admin) throws Exception {
        Collection<String> topics = Answer.of(
                admin.listTopics(new ListTopicsOptions().listInternal(true)).names());
        return Answer.of(admin.describeTopics(topics).allTopicNames()).values().stream()
                .flatMap(topic -> topic.partitions().stream())
                .toList();
    }

    private static long leads(List<TopicPartitionInfo> partitions, int broker) {
        return partitions.stream()
                .filter(one -> one.leader() != null && one.leader().id() == broker)
                .count();
    }

    private static long replicates(List<TopicPartitionInfo> partitions, int broker) {
        return partitions.stream().filter(one -> has(one.replicas(), broker)).count();
    }

    private static long behind(List<TopicPartitionInfo> partitions, int broker) {
        return partitions.stream()
                .filter(one -> has(one.replicas(), broker) && !has(one.isr(), broker))
                .count();
    }

    private static boolean has(List<Node> nodes, int broker) {
        return nodes.stream().anyMatch(node -> node.id() == broker);
    }
}
