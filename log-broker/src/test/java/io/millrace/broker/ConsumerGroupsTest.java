package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real consumers share the partitions of a topic. */
class ConsumerGroupsTest extends BrokerTestCase {
    private static final int PARTITIONS = 6;
    private static final int RECORDS = 600;
    private static final Duration POLL = Duration.ofMillis(50);

    private final List<String> read = new ArrayList<>();
    private int written;

    @BeforeEach
    void createTopic() throws Exception {
        clients.createTopic("t", PARTITIONS);
    }

    private void write() {
        try (KafkaProducer<String, String> producer = clients.producer(Map.of())) {
            for (int i = 0; i < RECORDS; i++) {
                producer.send(new ProducerRecord<>("t", i % PARTITIONS, null, "value " + written++));
            }
        }
    }

    private KafkaConsumer<String, String> consumer(String assignor, String instance) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("group.id", "g");
        settings.put("group.protocol", "classic");
        settings.put("session.timeout.ms", "10000");
        settings.put("heartbeat.interval.ms", "200");
        settings.put("partition.assignment.strategy", "org.apache.kafka.clients.consumer." + assignor);
        if (instance != null) {
            settings.put("group.instance.id", instance);
        }
        KafkaConsumer<String, String> consumer = clients.consumer(settings);
        consumer.subscribe(List.of("t"));
        return consumer;
    }

    /** Reads, and commits what was read. */
    private void poll(KafkaConsumer<String, String> consumer) {
        for (ConsumerRecord<String, String> one : consumer.poll(POLL)) {
            read.add(one.value());
        }
        try {
            consumer.commitSync();
        } catch (RebalanceInProgressException later) {
            // the next poll takes part in it, and the next commit has these offsets too
        }
    }

    private void awaitShares(int each, KafkaConsumer<String, String> one, KafkaConsumer<String, String> other) {
        Awaitility.await("each consumer has " + each + " partitions")
                .atMost(Clients.PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> {
                    poll(one);
                    poll(other);
                    return one.assignment().size() == each && other.assignment().size() == each;
                });
        Set<TopicPartition> together = new HashSet<>(one.assignment());
        together.addAll(other.assignment());
        assertThat(together).hasSize(PARTITIONS);
    }

    private void awaitAllRead(List<KafkaConsumer<String, String>> consumers) {
        Awaitility.await("all " + written + " records are read")
                .atMost(Clients.PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> {
                    consumers.forEach(this::poll);
                    return read.size() >= written;
                });
        assertThat(read)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, written).mapToObj(i -> "value " + i).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"RangeAssignor", "CooperativeStickyAssignor"})
    void consumers_share_the_partitions_and_read_each_record_once_although_one_leaves(String assignor) {
        write();
        KafkaConsumer<String, String> stays = consumer(assignor, null);
        try (stays) {
            try (KafkaConsumer<String, String> leaves = consumer(assignor, null)) {
                awaitShares(PARTITIONS / 2, stays, leaves);
                awaitAllRead(List.of(stays, leaves));
                write();
                poll(leaves);
            }
            awaitAllRead(List.of(stays));
            // Who leaves may have read the last records itself.
            Awaitility.await("who stays has all partitions")
                    .atMost(Clients.PATIENCE)
                    .until(() -> {
                        poll(stays);
                        return stays.assignment().size() == PARTITIONS;
                    });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"RangeAssignor", "CooperativeStickyAssignor"})
    void a_static_member_that_restarts_gets_its_partitions_back_without_a_rebalance(String assignor) {
        KafkaConsumer<String, String> other = consumer(assignor, "other");
        try (other) {
            KafkaConsumer<String, String> first = consumer(assignor, "restarted");
            awaitShares(PARTITIONS / 2, first, other);
            Set<TopicPartition> before = Set.copyOf(first.assignment());
            int generation = other.groupMetadata().generationId();
            first.close();
            write();

            try (KafkaConsumer<String, String> second = consumer(assignor, "restarted")) {
                awaitAllRead(List.of(second, other));

                assertThat(second.assignment()).isEqualTo(before);
                assertThat(other.groupMetadata().generationId()).isEqualTo(generation);
            }
        }
    }
}
