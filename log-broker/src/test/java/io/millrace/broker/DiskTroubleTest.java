package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Calls.Sender;
import io.millrace.broker.log.BatchBuilder;
import io.millrace.broker.settings.BrokerSettings;
import io.millrace.broker.settings.TopicSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

/** Full disks and power cuts, and what the broker does with its disk by itself. */
class DiskTroubleTest {
    private SimBroker broker = new SimBroker(13, Map.of());
    private TopicSteps admin;
    private SimClientSteps steps;
    private SimBroker.Client client;

    DiskTroubleTest() {
        connect();
    }

    private void connect() {
        client = broker.client();
        admin = new TopicSteps(client);
        steps = new SimClientSteps(client);
    }

    private void create(String topic, Map<String, String> settings) {
        SimClientSteps.check(admin.create(topic, 1, settings).errorCode());
    }

    private PartitionProduceResponse write(String topic, String value) {
        return steps.produce(topic, null, Sender.NOBODY, value);
    }

    private void put(String topic, String key, String value) {
        BatchBuilder batch = new BatchBuilder();
        batch.add(
                broker.world.nowMs(),
                key.getBytes(StandardCharsets.UTF_8),
                value == null ? null : value.getBytes(StandardCharsets.UTF_8));
        ProduceResponseData answer =
                client.call(Calls.produce(topic, 0, null, batch.build()), Calls.PRODUCE, ProduceResponseData.class);
        SimClientSteps.check(
                answer.responses().iterator().next().partitionResponses().get(0).errorCode());
    }

    @Test
    void a_full_disk_stops_producers_with_a_clear_error_and_heals_by_itself() {
        create("t", Map.of());
        write("t", "before");
        broker.disk.capacity(1);

        PartitionProduceResponse refused = write("t", "while full");
        List<String> readable = steps.committedValues("t");
        broker.disk.capacity(Long.MAX_VALUE);
        broker.world.runFor(60_000);
        PartitionProduceResponse healed = write("t", "after");

        assertThat(Errors.forCode(refused.errorCode())).isEqualTo(Errors.KAFKA_STORAGE_ERROR);
        assertThat(refused.errorMessage()).contains("No space left on device");
        assertThat(readable).containsExactly("before");
        assertThat(Errors.forCode(healed.errorCode())).isEqualTo(Errors.NONE);
        assertThat(steps.committedValues("t")).containsExactly("before", "after");
    }

    @Test
    void a_full_disk_stops_neither_the_broker_nor_its_coordinators_for_good() {
        create("t", Map.of());
        OffsetSteps offsets = new OffsetSteps(client, "g");
        broker.disk.capacity(1);

        Errors committed = offsets.commit("t", 5);
        Errors created = Errors.forCode(admin.create("other", 1, Map.of()).errorCode());
        broker.disk.capacity(Long.MAX_VALUE);
        broker.world.runFor(60_000);

        assertThat(committed).isNotEqualTo(Errors.NONE);
        assertThat(created).isNotEqualTo(Errors.NONE);
        assertThat(offsets.commit("t", 6)).isEqualTo(Errors.NONE);
        assertThat(offsets.committed("t")).isEqualTo(6);
        assertThat(Errors.forCode(admin.create("other", 1, Map.of()).errorCode()))
                .isEqualTo(Errors.NONE);
    }

    @Test
    void a_broker_whose_disk_is_full_can_be_stopped() {
        create("t", Map.of());
        write("t", "before");
        broker.disk.capacity(1);

        broker.stop();
        broker.disk.capacity(Long.MAX_VALUE);
        broker.killAndRestart();
        connect();

        assertThat(steps.committedValues("t")).containsExactly("before");
    }

    @Test
    void a_topic_that_came_into_a_disk_too_full_for_it_is_usable_when_there_is_space() {
        for (int spare = 0; spare < 3_000; spare += 150) {
            String topic = "topic-" + spare;
            broker.disk.capacity(usedBytes(Path.of("/data")) + spare);
            Errors created = Errors.forCode(admin.create(topic, 1, Map.of()).errorCode());
            broker.disk.capacity(Long.MAX_VALUE);
            broker.world.runFor(600_000);

            if (created == Errors.NONE) {
                assertThat(Errors.forCode(write(topic, "value").errorCode()))
                        .as("with %d bytes to spare", spare)
                        .isEqualTo(Errors.NONE);
            } else {
                assertThat(created).as("with %d bytes to spare", spare).isEqualTo(Errors.KAFKA_STORAGE_ERROR);
            }
        }
    }

    private long usedBytes(Path folder) {
        long bytes = 0;
        for (Path path : broker.disk.list(folder)) {
            boolean isFolder = !broker.disk.list(path).isEmpty();
            bytes += isFolder ? usedBytes(path) : broker.disk.readFully(path).length;
        }
        return bytes;
    }

    @Test
    void a_reader_of_what_is_not_in_memory_any_more_gets_the_same() {
        create("t", Map.of());
        List<String> values = List.of("a".repeat(700_000), "b".repeat(700_000), "c".repeat(700_000));
        values.forEach(value -> SimClientSteps.check(write("t", value).errorCode()));

        broker.disk.cold(true);
        List<String> first = steps.committedValues("t");

        assertThat(first).containsExactly(values.get(0)); // one MiB holds one of them, so more is left behind it
    }

    @Test
    void what_was_forced_before_its_acknowledgement_survives_a_power_cut() {
        create("t", Map.of(TopicSettings.FLUSH_POLICY, "force"));
        List<String> acknowledged = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            SimClientSteps.check(write("t", "value " + i).errorCode());
            acknowledged.add("value " + i);
        }

        broker.powerCutAndRestart();
        connect();

        assertThat(steps.committedValues("t")).isEqualTo(acknowledged);
        assertThat(Errors.forCode(write("t", "more").errorCode())).isEqualTo(Errors.NONE);
    }

    @Test
    void a_topic_that_was_acknowledged_survives_a_power_cut_though_it_has_no_folder_yet() {
        create("t", Map.of());
        assertThat(broker.disk.list(Path.of("/data")))
                .noneMatch(path -> path.getFileName().toString().startsWith("t-"));

        broker.powerCutAndRestart();
        connect();

        assertThat(Errors.forCode(admin.about("t").errorCode())).isEqualTo(Errors.NONE);
        assertThat(Errors.forCode(write("t", "first").errorCode())).isEqualTo(Errors.NONE);
    }

    @Test
    void what_a_killed_broker_had_begun_is_durable_once_the_next_one_has_made_a_checkpoint() {
        create("t", Map.of());
        write("t", "value");
        broker.killAndRestart();
        connect();
        broker.world.runFor(120_000);

        broker.powerCutAndRestart();
        connect();

        assertThat(steps.committedValues("t")).containsExactly("value");
    }

    @Test
    void with_force_everywhere_topics_settings_transactions_and_offsets_survive_a_power_cut() {
        broker = new SimBroker(13, Map.of("log.flush.policy", "force"));
        connect();
        create("t", Map.of(TopicSettings.RETENTION_MS, "5000000"));
        OffsetSteps offsets = new OffsetSteps(client, "g");
        offsets.commit("t", 7);
        var producer = steps.init("tx", 60_000);
        SimClientSteps.check(
                steps.produce("t", "tx", new Sender(producer.producerId(), producer.producerEpoch(), 0), "committed")
                        .errorCode());
        SimClientSteps.check(steps.end("tx", producer.producerId(), producer.producerEpoch(), true)
                .errorCode());

        broker.powerCutAndRestart();
        connect();
        broker.world.runFor(10_000);

        assertThat(admin.setting(TopicSteps.TOPIC, "t", TopicSettings.RETENTION_MS)
                        .value())
                .isEqualTo("5000000");
        assertThat(new OffsetSteps(client, "g").committed("t")).isEqualTo(7);
        assertThat(steps.committedValues("t")).containsExactly("committed");
    }

    @Test
    void a_power_cut_under_the_systems_own_policy_may_lose_the_newest_records_but_never_the_topic() {
        create("t", Map.of());
        for (int i = 0; i < 20; i++) {
            write("t", "value " + i);
        }

        broker.powerCutAndRestart();
        connect();

        List<String> left = steps.committedValues("t");
        for (int i = 0; i < left.size(); i++) {
            assertThat(left.get(i)).isEqualTo("value " + i);
        }
        assertThat(Errors.forCode(write("t", "more").errorCode())).isEqualTo(Errors.NONE);
        assertThat(steps.endOffset("t", IsolationLevel.READ_COMMITTED)).isEqualTo(left.size() + 1);
    }

    @Test
    void a_compacted_topic_is_compacted_without_being_asked_and_keeps_the_newest_of_each_key() {
        broker = new SimBroker(13, Map.of(BrokerSettings.CLEANER_INTERVAL_MS, "1000"));
        connect();
        create("t", Map.of(TopicSettings.CLEANUP_POLICY, "compact", TopicSettings.SEGMENT_BYTES, "1024"));
        Map<String, String> newest = new TreeMap<>();
        for (int i = 0; i < 300; i++) {
            put("t", "key " + i % 7, "value " + i);
            newest.put("key " + i % 7, "value " + i);
        }
        broker.world.runFor(120_000);
        List<String> left = readAll();

        assertThat(left.size()).isLessThan(150);
        assertThat(left).containsAll(newest.values());
        assertThat(steps.endOffset("t", IsolationLevel.READ_COMMITTED)).isEqualTo(300);
        broker.killAndRestart();
        connect();
        assertThat(readAll()).isEqualTo(left);
        put("t", "last", "the last one");
        assertThat(readAll()).endsWith("the last one");
    }

    /** What a reader gets that follows the log from its start. */
    private List<String> readAll() {
        ParkedReader reader = new ParkedReader(broker, "t");
        broker.world.runFor(1_000);
        return reader.values();
    }
}
