package io.millrace.acceptance.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Transactions and plain writes that go on while something happens to the brokers, and an independent reader that looks
 * afterwards whether every acknowledged record is there once and in order, every transaction whole or not at all, and its
 * offset with it.
 */
final class LoadUnderFaults {
    private static final int PARTITIONS = 3;
    private static final int TRANSACTIONAL = 3;

    private final String bootstrap;
    private final List<TransactionalLoad> loads = new ArrayList<>();
    private final PlainLoad plain;
    private final PlainLoad idempotent;
    private final List<Thread> threads = new ArrayList<>();

    /** @param replicas of the topics that are written to */
    LoadUnderFaults(String bootstrap, int replicas, Random random) throws Exception {
        this.bootstrap = bootstrap;
        createTopics(bootstrap, (short) replicas);
        for (int i = 0; i < TRANSACTIONAL; i++) {
            loads.add(new TransactionalLoad(bootstrap, "load-" + i, "transactions", PARTITIONS, random.nextLong()));
        }
        plain = new PlainLoad(bootstrap, "plain", false);
        idempotent = new PlainLoad(bootstrap, "idempotent", true);
    }

    void start() {
        loads.forEach(load -> threads.add(new Thread(load, load.name())));
        for (PlainLoad load : List.of(plain, idempotent)) {
            threads.add(new Thread(load, load.topic()));
        }
        threads.forEach(Thread::start);
    }

    /** Returns when the load has gone on for a while of random length. */
    void awaitProgress(String after, Random random) {
        int transactions = ended() + 1 + random.nextInt(30);
        int enoughPlain = plain.acknowledged().size() + 20 + random.nextInt(300);
        int enoughIdempotent = idempotent.acknowledged().size() + 20 + random.nextInt(300);
        await("the load goes on after " + after).atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
            assertThat(plain.acknowledged().size()).as("plain records").isGreaterThanOrEqualTo(enoughPlain);
            assertThat(idempotent.acknowledged().size())
                    .as("idempotent records")
                    .isGreaterThanOrEqualTo(enoughIdempotent);
            assertThat(ended()).as("transactions ended").isGreaterThanOrEqualTo(transactions);
        });
    }

    /** The broker that leads the partition of the idempotent producer, where it does most. */
    int leader() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            return admin.describeTopics(List.of(idempotent.topic()))
                    .topicNameValues()
                    .get(idempotent.topic())
                    .get()
                    .partitions()
                    .get(0)
                    .leader()
                    .id();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** From now on counts how long the load is not answered. */
    void beginTiming() {
        plain.clock().begin();
        idempotent.clock().begin();
        loads.forEach(load -> load.clock().begin());
    }

    /** The longest times without an acknowledgement since then, by kind of load; of transactions, without an end. */
    Map<String, Long> longestMs() {
        long transactions =
                loads.stream().mapToLong(load -> load.clock().longestMs()).max().orElseThrow();
        return Map.of(
                "plain",
                plain.clock().longestMs(),
                "idempotent",
                idempotent.clock().longestMs(),
                "transactions",
                transactions);
    }

    private int ended() {
        return loads.stream().mapToInt(TransactionalLoad::ended).sum();
    }

    /**
     * Ends the load and checks everything that was acknowledged.
     *
     * @param atLeast how many transactions each producer must have committed
     * @return a line that says how much it was
     */
    String stopAndCheck(int atLeast) throws InterruptedException {
        loads.forEach(TransactionalLoad::stop);
        plain.stop();
        idempotent.stop();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(plain.failures()).isEmpty();
        assertThat(idempotent.failures()).isEmpty();
        checkPlain();
        checkIdempotent();
        checkTransactions(atLeast);
        long transactions =
                loads.stream().mapToLong(load -> load.committed().size()).sum();
        return "%,d plain records, %,d idempotent ones and %,d transactions acknowledged: "
                        .formatted(
                                plain.acknowledged().size(),
                                idempotent.acknowledged().size(),
                                transactions)
                + "0 lost, 0 doubled, 0 reordered, 0 torn, 0 aborted ones read";
    }

    private static void createTopics(String bootstrap, short replicas) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(
                            new NewTopic("transactions", PARTITIONS, replicas),
                            new NewTopic("plain", 1, replicas),
                            new NewTopic("idempotent", 1, replicas)))
                    .all()
                    .get();
        }
    }

    private void checkPlain() {
        checkNoneLost(plain, read(bootstrap, new TopicPartition(plain.topic(), 0)));
    }

    private void checkIdempotent() {
        List<String> read = read(bootstrap, new TopicPartition(idempotent.topic(), 0));

        assertThat(new HashSet<>(read)).as("each record once").hasSameSizeAs(read);
        assertThat(read)
                .as("in the order of the producer")
                .isSortedAccordingTo((one, other) -> Integer.compare(Integer.parseInt(one), Integer.parseInt(other)));
        checkNoneLost(idempotent, read);
    }

    private static void checkNoneLost(PlainLoad load, List<String> read) {
        Set<String> lost = new HashSet<>(load.acknowledged());
        lost.removeAll(new HashSet<>(read));
        assertThat(lost)
                .as("acknowledged records that are not in %s", load.topic())
                .isEmpty();
    }

    private void checkTransactions(int atLeast) {
        for (TransactionalLoad load : loads) {
            assertThat(load.committed())
                    .as("%s gets on between the faults", load.name())
                    .hasSizeGreaterThan(atLeast);
        }
        for (int partition = 0; partition < PARTITIONS; partition++) {
            List<String> read = read(bootstrap, new TopicPartition("transactions", partition));
            for (TransactionalLoad load : loads) {
                List<String> expected = new ArrayList<>();
                for (int transaction : load.committed()) {
                    List<String> values = load.values(transaction);
                    for (int i = 0; i < values.size(); i++) {
                        if (load.partitionOf(i) == partition) {
                            expected.add(values.get(i));
                        }
                    }
                }
                List<String> found = read.stream()
                        .filter(value -> value.startsWith(load.name() + " "))
                        .toList();
                assertThat(found)
                        .as("what %s committed to partition %d, and nothing that it aborted", load.name(), partition)
                        .isEqualTo(expected);
            }
        }
    }

    /** Everything that a reader of committed records sees, to the end that a reader of all records is told. */
    private static List<String> read(String bootstrap, TopicPartition partition) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", bootstrap);
        settings.put("isolation.level", "read_committed");
        settings.put("enable.auto.commit", "false");
        settings.put("max.poll.records", 10_000);
        Map<String, Object> uncommitted = new HashMap<>(settings);
        uncommitted.put("isolation.level", "read_uncommitted");
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> reader =
                        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
                KafkaConsumer<String, String> ends =
                        new KafkaConsumer<>(uncommitted, new StringDeserializer(), new StringDeserializer())) {
            reader.assign(List.of(partition));
            reader.seekToBeginning(List.of(partition));
            long end = ends.endOffsets(List.of(partition)).get(partition);
            await("no transaction hangs on " + partition + ": the position reaches " + end)
                    .atMost(Duration.ofMinutes(1))
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> {
                        for (ConsumerRecord<String, String> record : reader.poll(Duration.ofMillis(200))) {
                            values.add(record.value());
                        }
                        return reader.position(partition) >= end;
                    });
        }
        return values;
    }
}
