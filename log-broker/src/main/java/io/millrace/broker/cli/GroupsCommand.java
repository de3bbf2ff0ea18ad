package io.millrace.broker.cli;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Consumer groups: list, describe, set positions, delete. */
@Command(
        name = "groups",
        description = "Lists, describes, moves and deletes consumer groups.",
        mixinStandardHelpOptions = true)
final class GroupsCommand {

    @Command(description = "Lists groups with their state.", mixinStandardHelpOptions = true)
    int list(@Mixin ClusterOptions cluster) throws Exception {
        try (Admin admin = cluster.admin()) {
            Rows rows = cluster.rows("group", "protocol", "state");
            Answer.of(admin.listGroups().all()).stream()
                    .sorted(Comparator.comparing(GroupListing::groupId))
                    .forEach(group -> rows.add(
                            group.groupId(),
                            group.protocol(),
                            group.groupState().map(Object::toString).orElse(null)));
            rows.print();
        }
        return 0;
    }

    @Command(
            description = "Shows the positions of a group, how far behind each is, and who reads it.",
            mixinStandardHelpOptions = true)
    int describe(@Mixin ClusterOptions cluster, @Parameters(paramLabel = "GROUP") String name) throws Exception {
        try (Admin admin = cluster.admin()) {
            ConsumerGroupDescription group =
                    Answer.of(admin.describeConsumerGroups(List.of(name)).all()).get(name);
            Map<TopicPartition, OffsetAndMetadata> offsets =
                    Answer.of(admin.listConsumerGroupOffsets(name).partitionsToOffsetAndMetadata());
            Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
            offsets.keySet().forEach(partition -> wanted.put(partition, OffsetSpec.latest()));
            Map<TopicPartition, ListOffsetsResultInfo> ends =
                    Answer.of(admin.listOffsets(wanted).all());
            Rows rows = cluster.rows("group", "state", "topic", "partition", "position", "end", "lag", "member");
            offsets.entrySet().stream()
                    .sorted(Comparator.comparing(entry -> entry.getKey().toString()))
                    .forEach(entry -> {
                        TopicPartition partition = entry.getKey();
                        long end = ends.get(partition).offset();
                        Long position = entry.getValue() == null
                                ? null
                                : entry.getValue().offset();
                        rows.add(
                                name,
                                group.groupState().toString(),
                                partition.topic(),
                                partition.partition(),
                                position,
                                end,
                                position == null ? null : end - position,
                                readerOf(group, partition));
                    });
            rows.print();
        }
        return 0;
    }

    private static String readerOf(ConsumerGroupDescription group, TopicPartition partition) {
        return group.members().stream()
                .filter(member -> member.assignment().topicPartitions().contains(partition))
                .map(MemberDescription::consumerId)
                .findFirst()
                .orElse(null);
    }

    @Command(
            name = "reset",
            description = "Moves the positions of a group that has no active members.",
            mixinStandardHelpOptions = true)
    int reset(
            @Mixin ClusterOptions cluster,
            @Parameters(index = "0", paramLabel = "GROUP") String name,
            @Parameters(index = "1", paramLabel = "TOPIC") String topic,
            @Option(
                            names = "--to",
                            required = true,
                            paramLabel = "WHERE",
                            description = "earliest, latest, an offset, or a time such as 2026-01-31T00:00:00Z")
                    String where)
            throws Exception {
        OffsetSpec place = Where.parse(where);
        try (Admin admin = cluster.admin()) {
            Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
            Answer.of(admin.describeTopics(List.of(topic)).allTopicNames())
                    .get(topic)
                    .partitions()
                    .forEach(partition -> wanted.put(new TopicPartition(topic, partition.partition()), place));
            Map<TopicPartition, OffsetAndMetadata> offsets = Where.resolve(admin, wanted, where);
            Answer.of(admin.alterConsumerGroupOffsets(name, offsets).all());
            Rows rows = cluster.rows("group", "topic", "partition", "position");
            offsets.entrySet().stream()
                    .sorted(Comparator.comparing(entry -> entry.getKey().partition()))
                    .forEach(entry -> rows.add(
                            name,
                            topic,
                            entry.getKey().partition(),
                            entry.getValue().offset()));
            rows.print();
        }
        return 0;
    }

    @Command(description = "Deletes groups that have no active members.", mixinStandardHelpOptions = true)
    int delete(@Mixin ClusterOptions cluster, @Parameters(paramLabel = "GROUP", arity = "1..*") List<String> names)
            throws Exception {
        try (Admin admin = cluster.admin()) {
            Answer.of(admin.deleteConsumerGroups(names).all());
        }
        names.forEach(name -> System.out.println("deleted group " + name));
        return 0;
    }
}
