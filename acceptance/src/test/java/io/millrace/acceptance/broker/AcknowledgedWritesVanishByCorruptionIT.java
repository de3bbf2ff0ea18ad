package io.millrace.acceptance.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.testbed.ChildProcess;
import io.millrace.testbed.MillraceCluster;
import io.millrace.testbed.MillraceServer;
import io.millrace.testbed.ProjectFolder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** A byte on a disk flips. */
class AcknowledgedWritesVanishByCorruptionIT {
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int RECORDS = 2_000;
    private static final int FLIPPED_AT = 10_000;

    private final List<String> values =
            IntStream.range(0, RECORDS).mapToObj(i -> "value " + i).toList();

    @Test
    void on_one_of_three_nodes_readers_there_see_what_was_written_and_the_node_repairs_itself() throws Exception {
        try (MillraceCluster cluster = MillraceCluster.start(Folders.create("damaged"), 3)) {
            create(cluster.bootstrap(), 3);
            send(cluster.bootstrap());
            cluster.awaitInSync();
            MillraceServer damaged = cluster.node(2);
            damaged.stop();
            flip(damaged);
            damaged.startAgain();
            cluster.awaitInSync();

            try (KafkaConsumer<String, String> nearby = reader(cluster.bootstrap(), "rack-2")) {
                assertThat(read(nearby)).isEqualTo(values);
            }

            await("the node says so")
                    .atMost(PATIENCE)
                    .until(() -> damaged.output().contains("have been taken from node"));
            damaged.stop();
            assertThat(millrace("log", "check", "--data", damaged.data().toString()))
                    .contains("0 damages");
        }
    }

    @Test
    void on_a_single_node_the_lost_offsets_are_named_and_can_be_skipped() throws Exception {
        try (MillraceServer server = MillraceServer.start(Folders.create("damaged"))) {
            create(server.bootstrap(), 1);
            send(server.bootstrap());
            server.stop();
            flip(server);
            server.startAgain();

            try (KafkaConsumer<String, String> reader = reader(server.bootstrap(), "")) {
                assertThatThrownBy(() -> read(reader)).isInstanceOf(KafkaException.class);
            }
            assertThat(server.output()).contains("is damaged").contains("millrace log check");
            server.stop();
            String data = server.data().toString();
            assertThat(millrace("log", "check", "--data", data)).contains("t-0: the offsets from ", " are lost: ");
            assertThat(millrace("log", "skip", "--data", data, "t-0")).contains("t-0: 1 damages left out");
            assertThat(millrace("log", "check", "--data", data)).contains("0 damages");
            server.startAgain();

            try (KafkaConsumer<String, String> reader = reader(server.bootstrap(), "")) {
                List<String> left = read(reader);
                assertThat(values).containsSubsequence(left);
                assertThat(left).hasSizeBetween(RECORDS / 2, RECORDS - 1).endsWith(values.get(RECORDS - 1));
            }
        }
    }

    private static void create(String bootstrap, int replicas) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            NewTopic topic = new NewTopic("t", Optional.of(1), Optional.of((short) replicas))
                    .configs(Map.of("segment.bytes", "30000"));
            admin.createTopics(List.of(topic)).all().get();
        }
    }

    private void send(String bootstrap) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", bootstrap);
        settings.put("acks", "all");
        settings.put("batch.size", "1000");
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            values.forEach(value -> producer.send(new ProducerRecord<>("t", value)));
        }
    }

    private static void flip(MillraceServer server) throws IOException {
        Path log = server.data().resolve("t-0").resolve("0".repeat(20) + ".log");
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
            file.seek(FLIPPED_AT);
            int before = file.read();
            file.seek(FLIPPED_AT);
            file.write(before ^ 1);
        }
    }

    /** @param rack from which the nearest replica is read; empty for the leader */
    private static KafkaConsumer<String, String> reader(String bootstrap, String rack) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", bootstrap);
        settings.put("client.rack", rack);
        settings.put("max.partition.fetch.bytes", "20000");
        KafkaConsumer<String, String> reader =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
        reader.assign(List.of(PARTITION));
        reader.seekToBeginning(List.of(PARTITION));
        return reader;
    }

    private static List<String> read(KafkaConsumer<String, String> reader) {
        List<String> found = new ArrayList<>();
        long end = reader.endOffsets(List.of(PARTITION)).get(PARTITION);
        await("the position reaches " + end)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> {
                    for (ConsumerRecord<String, String> record : reader.poll(Duration.ofMillis(200))) {
                        found.add(record.value());
                    }
                    return reader.position(PARTITION) >= end;
                });
        return found;
    }

    private static String millrace(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(ProjectFolder.resolve("bin/millrace").toString());
        command.addAll(List.of(arguments));
        try (ChildProcess process = ChildProcess.start(
                new ProcessBuilder(command), Folders.create("millrace").resolve("output"))) {
            assertThat(process.awaitExit(PATIENCE)).isTrue();
            return process.output();
        }
    }
}
