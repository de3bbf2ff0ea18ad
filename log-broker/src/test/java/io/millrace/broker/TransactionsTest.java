package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.junit.jupiter.api.Test;

/** Transactions as the Kafka Java client sees them. */
class TransactionsTest extends BrokerTestCase {
    private static final TopicPartition T0 = new TopicPartition("t", 0);

    @Test
    void committed_records_are_read_and_aborted_ones_are_not() throws Exception {
        clients.createTopic("t", 1);
        try (KafkaProducer<String, String> producer = clients.transactional("tx")) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("t", "kept"));
            producer.commitTransaction();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("t", "dropped"));
            producer.flush();
            producer.abortTransaction();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("t", "kept too"));
            producer.commitTransaction();
        }

        assertThat(clients.values(T0, true)).containsExactly("kept", "kept too");
        assertThat(clients.values(T0, false)).containsExactly("kept", "dropped", "kept too");
    }

    @Test
    void readers_of_committed_records_wait_for_an_open_transaction_and_others_do_not() throws Exception {
        clients.createTopic("t", 1);
        try (KafkaProducer<String, String> open = clients.transactional("tx");
                KafkaProducer<String, String> plain = clients.producer(Map.of())) {
            open.initTransactions();
            open.beginTransaction();
            open.send(new ProducerRecord<>("t", "open")).get();
            plain.send(new ProducerRecord<>("t", "plain")).get();

            assertThat(clients.values(T0, true)).isEmpty();
            assertThat(clients.values(T0, false)).containsExactly("open", "plain");
            open.commitTransaction();
        }

        await().atMost(Clients.PATIENCE)
                .untilAsserted(() -> assertThat(clients.values(T0, true)).containsExactly("open", "plain"));
    }

    @Test
    void offsets_sent_in_a_transaction_become_visible_with_its_commit_and_never_with_an_abort() throws Exception {
        clients.createTopic("t", 1);
        try (KafkaProducer<String, String> producer = clients.transactional("tx")) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.sendOffsetsToTransaction(Map.of(T0, new OffsetAndMetadata(7)), outsider("readers"));
            producer.abortTransaction();
            assertThat(committed("readers")).isNull();

            producer.beginTransaction();
            producer.send(new ProducerRecord<>("t", "out"));
            producer.sendOffsetsToTransaction(Map.of(T0, new OffsetAndMetadata(9, "note")), outsider("readers"));
            producer.commitTransaction();
        }

        assertThat(committed("readers")).isEqualTo(new OffsetAndMetadata(9, "note"));
        restartBroker();
        assertThat(committed("readers")).isEqualTo(new OffsetAndMetadata(9, "note"));
    }

    /** Somebody who commits for a group without being a member of it. */
    private ConsumerGroupMetadata outsider(String group) {
        try (KafkaConsumer<String, String> consumer = clients.consumer(Map.of("group.id", group))) {
            return consumer.groupMetadata();
        }
    }

    /** Waits for open transactions, as a consumer that starts does. */
    private OffsetAndMetadata committed(String group) {
        try (KafkaConsumer<String, String> consumer = clients.consumer(Map.of("group.id", group))) {
            return consumer.committed(Set.of(T0), Clients.PATIENCE).get(T0);
        }
    }

    @Test
    void a_new_instance_shuts_out_the_old_one_and_aborts_what_it_left_open() throws Exception {
        clients.createTopic("t", 1);
        try (KafkaProducer<String, String> old = clients.transactional("tx");
                KafkaProducer<String, String> successor = clients.transactional("tx")) {
            old.initTransactions();
            old.beginTransaction();
            old.send(new ProducerRecord<>("t", "orphan")).get();

            successor.initTransactions();
            successor.beginTransaction();
            successor.send(new ProducerRecord<>("t", "new"));
            successor.commitTransaction();

            assertThatThrownBy(old::commitTransaction).isInstanceOf(ProducerFencedException.class);
        }

        assertThat(clients.values(T0, true)).containsExactly("new");
    }

    @Test
    void a_transaction_across_many_partitions_is_all_or_nothing() throws Exception {
        clients.createTopic("many", 20);
        try (KafkaProducer<String, String> producer = clients.transactional("tx")) {
            producer.initTransactions();
            for (int round = 0; round < 4; round++) {
                producer.beginTransaction();
                for (int partition = 0; partition < 20; partition++) {
                    producer.send(new ProducerRecord<>("many", partition, null, "round " + round));
                }
                if (round % 2 == 0) {
                    producer.commitTransaction();
                } else {
                    producer.abortTransaction();
                }
            }
        }

        for (int partition = 0; partition < 20; partition++) {
            assertThat(clients.values(new TopicPartition("many", partition), true))
                    .containsExactly("round 0", "round 2");
        }
    }

    @Test
    void open_transactions_survive_a_restart_of_the_broker_and_can_be_committed_after_it() throws Exception {
        clients.createTopic("t", 1);
        int port = broker.port();
        try (KafkaProducer<String, String> producer = clients.transactional("tx")) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("t", "before")).get();
            broker.close();
            broker = EmbeddedBroker.start(new BrokerConfig(folder, Map.of("port", String.valueOf(port))));
            producer.send(new ProducerRecord<>("t", "after")).get();
            producer.commitTransaction();
        }

        assertThat(clients.values(T0, true)).containsExactly("before", "after");
    }

    @Test
    void the_position_reaches_the_end_although_the_last_offsets_hold_no_record() throws Exception {
        clients.createTopic("t", 1);
        try (KafkaProducer<String, String> producer = clients.transactional("tx")) {
            producer.initTransactions();
            for (int round = 0; round < 2; round++) {
                producer.beginTransaction();
                producer.send(new ProducerRecord<>("t", "aborted " + round));
                producer.flush();
                producer.abortTransaction();
            }
        }
        try (KafkaConsumer<String, String> consumer = clients.consumer(Map.of("isolation.level", "read_committed"));
                Admin admin = clients.admin()) {
            consumer.assign(List.of(T0));
            ListOffsetsResult.ListOffsetsResultInfo end = admin.listOffsets(Map.of(T0, OffsetSpec.latest()))
                    .partitionResult(T0)
                    .get();
            assertThat(end.offset()).isEqualTo(4);

            List<String> seen = new ArrayList<>();
            await().atMost(Clients.PATIENCE).until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> seen.add(record.value()));
                return consumer.position(T0) == end.offset();
            });
            assertThat(seen).isEmpty();
        }
    }
}
