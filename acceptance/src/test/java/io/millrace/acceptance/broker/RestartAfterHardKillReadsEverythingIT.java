package io.millrace.acceptance.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.testbed.MillraceServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Many partitions, and much that was written long before the process was killed. */
class RestartAfterHardKillReadsEverythingIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern READ = Pattern.compile("recovered from offset \\d+, read (\\d+) bytes");
    private static final int PARTITIONS = 2_000;
    private static final int WRITTEN = 200;
    private static final int RECORDS = 20_000;
    private static final int RECORD_BYTES = 1_000;

    @Test
    void only_what_came_after_the_last_checkpoint_is_read() throws Exception {
        try (MillraceServer server =
                MillraceServer.start(Folders.create("killed"), "log.flush.offset.checkpoint.interval.ms=500")) {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", server.bootstrap()))) {
                admin.createTopics(List.of(new NewTopic("t", PARTITIONS, (short) 1)))
                        .all()
                        .get();
            }
            send(server, RECORDS);
            await("everything is below the recovery points")
                    .atMost(PATIENCE)
                    .until(() -> checkpointed(server) == RECORDS);
            send(server, WRITTEN);

            server.killHard();
            server.startAgain();

            assertThat(ends(server)).isEqualTo(RECORDS + WRITTEN);
            assertThat(readBytes(server))
                    .as("of %d bytes", RECORDS * RECORD_BYTES)
                    .isLessThan(2L * WRITTEN * RECORD_BYTES);
        }
    }

    private static void send(MillraceServer server, int records) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", server.bootstrap());
        settings.put("acks", "all");
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                producer.send(new ProducerRecord<>("t", i % WRITTEN, null, new byte[RECORD_BYTES]));
            }
        }
    }

    /** The sum of the recovery points. */
    private static long checkpointed(MillraceServer server) throws IOException {
        Path file = server.data().resolve("recovery-point-offset-checkpoint");
        return Files.exists(file)
                ? Files.readAllLines(file).stream()
                        .filter(line -> line.startsWith("t "))
                        .mapToLong(line -> Long.parseLong(line.split(" ")[2]))
                        .sum()
                : 0;
    }

    private static long ends(MillraceServer server) throws Exception {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        IntStream.range(0, PARTITIONS).forEach(i -> latest.put(new TopicPartition("t", i), OffsetSpec.latest()));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", server.bootstrap()))) {
            return admin.listOffsets(latest).all().get().values().stream()
                    .mapToLong(ListOffsetsResultInfo::offset)
                    .sum();
        }
    }

    private static long readBytes(MillraceServer server) {
        return READ.matcher(server.output())
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }
}
