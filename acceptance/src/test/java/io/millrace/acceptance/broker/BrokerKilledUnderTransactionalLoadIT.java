package io.millrace.acceptance.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.testbed.MillraceServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;

/**
 * The broker is killed again and again under transactions and plain writes. Afterwards an independent reader finds every
 * acknowledged record once and in order, every transaction whole or not at all, and offsets that went with it.
 */
class BrokerKilledUnderTransactionalLoadIT {
    private static final int KILLS = Integer.getInteger("millrace.broker.kills", 20);
    private static final long SEED = Long.getLong("millrace.seed", System.nanoTime());
    private static final int PARTITIONS = 3;

    @Test
    void nothing_is_lost_doubled_torn_or_shown_too_early() throws Exception {
        System.out.println("killing the broker " + KILLS + " times, -Dmillrace.seed=" + SEED);
        Random random = new Random(SEED);
        try (MillraceServer server =
                MillraceServer.start(Folders.create("killed-broker"), "log.flush.offset.checkpoint.interval.ms=500")) {
            createTopics(server.bootstrap());
            List<TransactionalLoad> loads = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                loads.add(new TransactionalLoad(
                        server.bootstrap(), "load-" + i, "transactions", PARTITIONS, random.nextLong()));
            }
            PlainLoad plain = new PlainLoad(server.bootstrap(), "plain");
            loads.forEach(load -> threads.add(new Thread(load, load.name())));
            threads.add(new Thread(plain, "plain"));
            threads.forEach(Thread::start);

            for (int kill = 0; kill < KILLS; kill++) {
                int transactions = ended(loads) + 1 + random.nextInt(30);
                int enough = plain.acknowledged().size() + 20 + random.nextInt(300);
                await("the load goes on after kill " + kill)
                        .atMost(Duration.ofMinutes(2))
                        .until(() -> plain.acknowledged().size() >= enough && ended(loads) >= transactions);
                server.killHard();
                server.startAgain();
            }
            loads.forEach(TransactionalLoad::stop);
            plain.stop();
            for (Thread thread : threads) {
                thread.join();
            }

            assertThat(plain.failures()).isEmpty();
            checkPlain(server.bootstrap(), plain.acknowledged());
            checkTransactions(server.bootstrap(), loads);
            long transactions =
                    loads.stream().mapToLong(load -> load.committed().size()).sum();
            System.out.println(KILLS + " kills, " + plain.acknowledged().size() + " plain records and " + transactions
                    + " transactions acknowledged: 0 lost, 0 doubled, 0 torn, 0 aborted ones read");
        }
    }

    private static int ended(List<TransactionalLoad> loads) {
        return loads.stream().mapToInt(TransactionalLoad::ended).sum();
    }

    private static void createTopics(String bootstrap) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(
                            new NewTopic("transactions", PARTITIONS, (short) 1), new NewTopic("plain", 1, (short) 1)))
                    .all()
                    .get();
        }
    }

    private static void checkPlain(String bootstrap, List<String> acknowledged) {
        List<String> read = read(bootstrap, new TopicPartition("plain", 0));

        assertThat(new HashSet<>(read)).as("each record once").hasSameSizeAs(read);
        assertThat(read)
                .as("in the order of the producer")
                .isSortedAccordingTo((one, other) -> Integer.compare(Integer.parseInt(one), Integer.parseInt(other)));
        assertThat(new HashSet<>(read)).as("every acknowledged record").containsAll(acknowledged);
    }

    private static void checkTransactions(String bootstrap, List<TransactionalLoad> loads) {
        for (TransactionalLoad load : loads) {
            assertThat(load.committed())
                    .as("%s gets on between the kills", load.name())
                    .hasSizeGreaterThan(KILLS);
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
