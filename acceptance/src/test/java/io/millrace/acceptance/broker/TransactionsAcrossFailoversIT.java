package io.millrace.acceptance.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.testbed.MillraceCluster;
import io.millrace.testbed.MillraceServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactions whose coordinator, or whose group's, or whose leader is lost in the middle. */
class TransactionsAcrossFailoversIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final TopicPartition INPUT = new TopicPartition("input", 0);

    private static MillraceCluster cluster;
    private static Admin admin;
    private static int tests;

    private final String id = "transaction-" + tests++;
    private final TopicPartition output = new TopicPartition("output-" + id, 0);

    @BeforeAll
    static void start() throws Exception {
        cluster = MillraceCluster.start(
                Folders.create("failovers"), 3, "broker.session.timeout.ms=3000", "broker.heartbeat.interval.ms=500");
        admin = Admin.create(Map.of(
                "bootstrap.servers", cluster.bootstrap(),
                "request.timeout.ms", "1000", // or it waits longer for a node that is paused than that one leads
                "default.api.timeout.ms", "30000"));
        admin.createTopics(List.of(new NewTopic(INPUT.topic(), 1, (short) 3)))
                .all()
                .get();
    }

    @AfterAll
    static void stop() {
        admin.close();
        cluster.close();
    }

    @AfterEach
    void heal() {
        for (MillraceServer node : cluster.nodes()) {
            if (node.isRunning()) {
                node.resume();
            } else {
                node.startAgain();
            }
        }
        cluster.awaitInSync();
    }

    private KafkaProducer<String, String> producer(int timeoutMs) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", cluster.bootstrap());
        settings.put("transactional.id", id);
        settings.put("transaction.timeout.ms", timeoutMs);
        settings.put("max.block.ms", PATIENCE.toMillis());
        return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    }

    /** The group as one who is no member of it names it. */
    private ConsumerGroupMetadata group() {
        Map<String, Object> settings = Map.of("bootstrap.servers", cluster.bootstrap(), "group.id", id);
        try (KafkaConsumer<String, String> outsider =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            return outsider.groupMetadata();
        }
    }

    private void createOutput(int leader) throws Exception {
        List<Integer> replicas =
                IntStream.range(0, 3).mapToObj(i -> (leader + i - 1) % 3 + 1).toList();
        admin.createTopics(List.of(new NewTopic(output.topic(), Map.of(0, replicas))))
                .all()
                .get();
        cluster.awaitInSync();
    }

    private int transactionCoordinator() throws Exception {
        return admin.describeTransactions(List.of(id)).description(id).get().coordinatorId();
    }

    private int groupCoordinator() throws Exception {
        return admin.describeConsumerGroups(List.of(id))
                .describedGroups()
                .get(id)
                .get()
                .coordinator()
                .id();
    }

    private long committedOffset() throws Exception {
        return admin.listConsumerGroupOffsets(id)
                .partitionsToOffsetAndMetadata()
                .get()
                .get(INPUT)
                .offset();
    }

    /** What a reader of committed records sees, up to the end that is there for readers of all records. */
    private List<String> read(String rack) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", cluster.bootstrap());
        settings.put("isolation.level", "read_committed");
        settings.put("client.rack", rack);
        Map<String, Object> all = Map.of("bootstrap.servers", cluster.bootstrap());
        List<String> found = new ArrayList<>();
        try (KafkaConsumer<String, String> reader =
                        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
                KafkaConsumer<String, String> ends =
                        new KafkaConsumer<>(all, new StringDeserializer(), new StringDeserializer())) {
            reader.assign(List.of(output));
            reader.seekToBeginning(List.of(output));
            await("no transaction hangs on " + output)
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> {
                        for (ConsumerRecord<String, String> record : reader.poll(Duration.ofMillis(200))) {
                            found.add(record.value());
                        }
                        return reader.position(output)
                                >= ends.endOffsets(List.of(output)).get(output);
                    });
        }
        return found;
    }

    private enum Loss {
        TRANSACTION_COORDINATOR_BEFORE_THE_OFFSETS,
        TRANSACTION_COORDINATOR_BEFORE_THE_COMMIT,
        GROUP_COORDINATOR_BEFORE_THE_OFFSETS,
        GROUP_COORDINATOR_BEFORE_THE_COMMIT
    }

    @ParameterizedTest
    @EnumSource
    void records_and_offsets_are_committed_together_or_not_at_all(Loss loss) throws Exception {
        createOutput(1);
        admin.alterConsumerGroupOffsets(id, Map.of(INPUT, new OffsetAndMetadata(3)))
                .all()
                .get();
        boolean committed;
        try (KafkaProducer<String, String> producer = producer(60_000)) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(output.topic(), "a")).get();
            int lost = loss.name().startsWith("GROUP") ? groupCoordinator() : transactionCoordinator();
            if (loss.name().endsWith("OFFSETS")) {
                cluster.node(lost).killHard();
            }
            try {
                producer.sendOffsetsToTransaction(Map.of(INPUT, new OffsetAndMetadata(7)), group());
                if (loss.name().endsWith("COMMIT")) {
                    cluster.node(lost).killHard();
                }
                producer.commitTransaction();
                committed = true;
            } catch (KafkaException e) {
                producer.abortTransaction();
                committed = false;
            }
        }

        assertThat(read("")).isEqualTo(committed ? List.of("a") : List.of());
        assertThat(committedOffset()).isEqualTo(committed ? 7 : 3);
    }

    @Test
    void a_commit_that_is_prepared_is_finished_by_the_next_coordinator() throws Exception {
        try (KafkaProducer<String, String> producer = producer(60_000)) {
            producer.initTransactions();
            int coordinator = transactionCoordinator();
            int leader = coordinator % 3 + 1;
            createOutput(leader);
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(output.topic(), "a")).get();
            cluster.node(leader).pause();
            CompletableFuture<Void> commit = CompletableFuture.runAsync(producer::commitTransaction);
            await("the commit is decided")
                    .atMost(PATIENCE)
                    .ignoreExceptions() // as long as the one that is asked is paused
                    .until(() -> admin.describeTransactions(List.of(id))
                                    .description(id)
                                    .get()
                                    .state()
                            != TransactionState.ONGOING);

            cluster.node(coordinator).killHard();
            cluster.node(leader).resume();
            cluster.node(coordinator).startAgain();

            assertThat(commit).succeedsWithin(PATIENCE);
            assertThat(read("")).containsExactly("a");
        }
        try (KafkaProducer<String, String> next = producer(60_000)) {
            next.initTransactions();
            next.beginTransaction();
            next.send(new ProducerRecord<>(output.topic(), "b"));
            next.commitTransaction();
        }
        assertThat(read("")).containsExactly("a", "b");
    }

    /**
     * A producer dies in its transaction, and its coordinator, which leads the output, too.
     *
     * @return the coordinator
     */
    private int loseProducerAndCoordinator(int timeoutMs) throws Exception {
        KafkaProducer<String, String> dead = producer(timeoutMs);
        dead.initTransactions();
        int coordinator = transactionCoordinator();
        createOutput(coordinator);
        dead.beginTransaction();
        dead.send(new ProducerRecord<>(output.topic(), "lost")).get();
        dead.close(Duration.ZERO);
        cluster.node(coordinator).killHard();
        return coordinator;
    }

    @Test
    void the_open_transaction_of_a_dead_producer_ends_although_its_coordinator_and_leader_are_others_now()
            throws Exception {
        int lost = loseProducerAndCoordinator(6_000);

        assertThat(read("")).as("it timed out").isEmpty();
        assertThat(transactionCoordinator()).isNotEqualTo(lost);
    }

    @Test
    void a_successor_with_the_same_id_waits_for_nobody() throws Exception {
        loseProducerAndCoordinator(600_000);

        try (KafkaProducer<String, String> successor = producer(600_000)) {
            successor.initTransactions();
            successor.beginTransaction();
            successor.send(new ProducerRecord<>(output.topic(), "done"));
            successor.commitTransaction();
        }

        assertThat(read("")).containsExactly("done");
    }

    @Test
    void every_replica_shows_readers_of_committed_records_the_same() throws Exception {
        createOutput(1);
        List<String> committed = new ArrayList<>();
        try (KafkaProducer<String, String> producer = producer(60_000)) {
            producer.initTransactions();
            for (int i = 0; i < 60; i++) {
                producer.beginTransaction();
                producer.send(new ProducerRecord<>(output.topic(), String.valueOf(i)));
                if (i % 3 == 0) {
                    producer.abortTransaction();
                } else {
                    producer.commitTransaction();
                    committed.add(String.valueOf(i));
                }
            }
        }

        for (String rack : List.of("rack-1", "rack-2", "rack-3")) {
            assertThat(read(rack)).as("read in " + rack).isEqualTo(committed);
        }
    }
}
