package io.millrace.acceptance.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.testbed.MillraceCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Three racks of one broker each, three copies, two of them required. */
class RackLostIT {
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final List<String> acknowledged = new ArrayList<>();

    @Test
    void one_rack_less_costs_nothing_and_two_racks_less_lose_nothing() throws Exception {
        try (MillraceCluster cluster = MillraceCluster.start(Folders.create("racks"), 3)) {
            create(cluster.bootstrap());
            send(cluster.bootstrap(), "three racks", PATIENCE);

            cluster.node(1).killHard();
            send(cluster.bootstrap(), "two racks", PATIENCE);

            cluster.node(2).killHard();
            assertThatThrownBy(() -> send(cluster.bootstrap(), "one rack", Duration.ofSeconds(8)))
                    .as("one copy is not enough")
                    .isInstanceOf(ExecutionException.class);

            cluster.node(2).startAgain();
            send(cluster.bootstrap(), "two racks again", PATIENCE);
            cluster.node(1).startAgain();
            cluster.awaitInSync();

            assertThat(read(cluster.bootstrap())).containsSubsequence(acknowledged);
        }
    }

    private static void create(String bootstrap) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic("t", 1, (short) 3))).all().get();
        }
    }

    private void send(String bootstrap, String value, Duration patience) throws Exception {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", bootstrap);
        settings.put("acks", "all");
        settings.put("linger.ms", "0");
        settings.put("request.timeout.ms", "4000");
        settings.put("max.block.ms", patience.toMillis());
        settings.put("delivery.timeout.ms", (int) patience.toMillis());
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>("t", value)).get();
            acknowledged.add(value);
        }
    }

    private List<String> read(String bootstrap) {
        Map<String, Object> settings = Map.of("bootstrap.servers", bootstrap, "enable.auto.commit", "false");
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> reader =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            reader.assign(List.of(PARTITION));
            reader.seekToBeginning(List.of(PARTITION));
            long end = reader.endOffsets(List.of(PARTITION)).get(PARTITION);
            Awaitility.await().atMost(PATIENCE).until(() -> {
                for (ConsumerRecord<String, String> record : reader.poll(Duration.ofMillis(200))) {
                    values.add(record.value());
                }
                return reader.position(PARTITION) >= end;
            });
        }
        return values;
    }
}
