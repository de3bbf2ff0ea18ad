package io.millrace.broker.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Records become lines of standard output. */
@Command(
        name = "consume",
        description = "Prints the records of a topic, committed ones only, from a place to its present end.",
        mixinStandardHelpOptions = true)
final class ConsumeCommand implements Callable<Integer> {
    private static final Duration POLL = Duration.ofMillis(500);

    @Mixin
    private ClusterOptions cluster;

    @Parameters(paramLabel = "TOPIC")
    private String topic;

    @Option(
            names = "--from",
            paramLabel = "WHERE",
            defaultValue = "earliest",
            description = "earliest, latest, an offset, or a time such as 2026-01-31T00:00:00Z (default: earliest)")
    private String from;

    @Option(names = "--max", paramLabel = "N", description = "ends after this many records")
    private long max = Long.MAX_VALUE;

    @Option(names = "--follow", description = "goes on at the end, waiting for more")
    private boolean follow;

    @Option(names = "--uncommitted", description = "records of open and aborted transactions, too")
    private boolean uncommitted;

    @Override
    public Integer call() throws Exception {
        Map<TopicPartition, OffsetAndMetadata> start = start();
        Properties properties = cluster.properties();
        properties.put("isolation.level", uncommitted ? "read_uncommitted" : "read_committed");
        properties.put("enable.auto.commit", "false");
        long left = max;
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = new ArrayList<>(start.keySet());
            consumer.assign(partitions);
            start.forEach((partition, offset) -> consumer.seek(partition, offset.offset()));
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (left > 0 && (follow || !isAt(consumer, ends))) {
                Rows rows = cluster.rows("partition", "offset", "time-ms", "key", "value");
                for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
                    boolean late =
                            !follow && record.offset() >= ends.get(new TopicPartition(topic, record.partition()));
                    if (left > 0 && !late) {
                        left--;
                        print(record, rows);
                    }
                }
                if (cluster.json()) {
                    rows.print();
                }
                System.out.flush();
            }
        }
        return 0;
    }

    private Map<TopicPartition, OffsetAndMetadata> start() throws Exception {
        OffsetSpec place = Where.parse(from);
        try (Admin admin = cluster.admin()) {
            Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
            Answer.of(admin.describeTopics(List.of(topic)).allTopicNames())
                    .get(topic)
                    .partitions()
                    .forEach(partition -> wanted.put(new TopicPartition(topic, partition.partition()), place));
            return Where.resolve(admin, wanted, from);
        }
    }

    private static boolean isAt(KafkaConsumer<String, String> consumer, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    private void print(ConsumerRecord<String, String> record, Rows rows) {
        if (cluster.json()) {
            rows.add(record.partition(), record.offset(), record.timestamp(), record.key(), record.value());
        } else {
            System.out.println(record.key() == null ? record.value() : record.key() + "\t" + record.value());
        }
    }
}
