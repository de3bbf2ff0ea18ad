package io.millrace.broker.cli;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Topics: list, describe, create, change, delete. */
@Command(
        name = "topics",
        description = "Lists, describes, makes, changes and deletes topics.",
        mixinStandardHelpOptions = true)
final class TopicsCommand {

    @Command(description = "Lists topics with their partitions.", mixinStandardHelpOptions = true)
    int list(
            @Mixin ClusterOptions cluster,
            @Option(names = "--internal", description = "those of the broker itself, too") boolean internal)
            throws Exception {
        try (Admin admin = cluster.admin()) {
            List<String> names =
                    Answer.of(admin.listTopics(new ListTopicsOptions().listInternal(internal))
                                    .names())
                            .stream()
                            .sorted()
                            .toList();
            Map<String, TopicDescription> topics =
                    Answer.of(admin.describeTopics(names).allTopicNames());
            Rows rows = cluster.rows("topic", "id", "partitions", "replicas");
            names.forEach(name -> {
                TopicDescription topic = topics.get(name);
                rows.add(
                        name,
                        topic.topicId().toString(),
                        topic.partitions().size(),
                        topic.partitions().get(0).replicas().size());
            });
            rows.print();
        }
        return 0;
    }

    @Command(
            description = "Shows the partitions of a topic with their offsets, and what is set for it.",
            mixinStandardHelpOptions = true)
    int describe(@Mixin ClusterOptions cluster, @Parameters(paramLabel = "TOPIC") String name) throws Exception {
        try (Admin admin = cluster.admin()) {
            TopicDescription topic = Answer.of(
                            admin.describeTopics(List.of(name)).allTopicNames())
                    .get(name);
            Map<TopicPartition, ListOffsetsResultInfo> first = offsets(admin, topic, OffsetSpec.earliest());
            Map<TopicPartition, ListOffsetsResultInfo> end = offsets(admin, topic, OffsetSpec.latest());
            Rows rows = cluster.rows("topic", "partition", "leader", "replicas", "in-sync", "start", "end");
            for (TopicPartitionInfo partition : topic.partitions()) {
                TopicPartition key = new TopicPartition(name, partition.partition());
                rows.add(
                        name,
                        partition.partition(),
                        partition.leader() == null ? null : partition.leader().id(),
                        partition.replicas().stream().map(node -> node.id()).toList(),
                        partition.isr().stream().map(node -> node.id()).toList(),
                        first.get(key).offset(),
                        end.get(key).offset());
            }
            rows.print();
            printSettings(cluster, admin, name);
        }
        return 0;
    }

    private static Map<TopicPartition, ListOffsetsResultInfo> offsets(
            Admin admin, TopicDescription topic, OffsetSpec spec) throws Exception {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        topic.partitions()
                .forEach(partition -> wanted.put(new TopicPartition(topic.name(), partition.partition()), spec));
        return Answer.of(admin.listOffsets(wanted).all());
    }

    private static void printSettings(ClusterOptions cluster, Admin admin, String name) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
        Config config =
                Answer.of(admin.describeConfigs(List.of(resource)).all()).get(resource);
        Rows rows = cluster.rows("setting", "value", "from");
        config.entries().stream()
                .filter(entry -> entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG)
                .sorted(Comparator.comparing(ConfigEntry::name))
                .forEach(entry -> rows.add(entry.name(), entry.value(), "topic"));
        rows.print();
    }

    @Command(description = "Makes a topic.", mixinStandardHelpOptions = true)
    int create(
            @Mixin ClusterOptions cluster,
            @Parameters(paramLabel = "TOPIC") String name,
            @Option(names = "--partitions", description = "how many; default: the cluster's choice") Integer partitions,
            @Option(names = "--replicas", description = "how many; default: the cluster's choice") Short replicas,
            @Option(names = "--set", paramLabel = "KEY=VALUE", description = "a setting of the topic")
                    Map<String, String> settings)
            throws Exception {
        try (Admin admin = cluster.admin()) {
            NewTopic topic = new NewTopic(name, Optional.ofNullable(partitions), Optional.ofNullable(replicas));
            Answer.of(admin.createTopics(List.of(topic.configs(settings == null ? Map.of() : settings)))
                    .all());
        }
        System.out.println("made topic " + name);
        return 0;
    }

    @Command(description = "Changes settings of a topic, or adds partitions to it.", mixinStandardHelpOptions = true)
    int change(
            @Mixin ClusterOptions cluster,
            @Parameters(paramLabel = "TOPIC") String name,
            @Option(names = "--partitions", description = "the new, larger number of partitions") Integer partitions,
            @Option(names = "--set", paramLabel = "KEY=VALUE", description = "a setting of the topic")
                    Map<String, String> settings,
            @Option(names = "--unset", paramLabel = "KEY", description = "a setting that goes back to its default")
                    List<String> unset)
            throws Exception {
        try (Admin admin = cluster.admin()) {
            Map<String, AlterConfigOp> changes = new TreeMap<>();
            if (settings != null) {
                settings.forEach((key, value) ->
                        changes.put(key, new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET)));
            }
            if (unset != null) {
                unset.forEach(key ->
                        changes.put(key, new AlterConfigOp(new ConfigEntry(key, ""), AlterConfigOp.OpType.DELETE)));
            }
            if (!changes.isEmpty()) {
                ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
                Answer.of(admin.incrementalAlterConfigs(Map.of(resource, changes.values()))
                        .all());
            }
            if (partitions != null) {
                Answer.of(admin.createPartitions(Map.of(name, NewPartitions.increaseTo(partitions)))
                        .all());
            }
        }
        System.out.println("changed topic " + name);
        return 0;
    }

    @Command(description = "Deletes topics with everything in them.", mixinStandardHelpOptions = true)
    int delete(@Mixin ClusterOptions cluster, @Parameters(paramLabel = "TOPIC", arity = "1..*") List<String> names)
            throws Exception {
        try (Admin admin = cluster.admin()) {
            Answer.of(admin.deleteTopics(names).all());
        }
        names.forEach(name -> System.out.println("deleted topic " + name));
        return 0;
    }
}
