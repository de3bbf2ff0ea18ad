package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Calls.Sender;
import io.millrace.broker.settings.BrokerSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableReplicaAssignment;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics come, grow and go. */
class TopicsTest {
    private SimBroker broker = new SimBroker(5, Map.of(BrokerSettings.NUM_PARTITIONS, "3"));
    private TopicSteps admin = new TopicSteps(broker.client());
    private SimClientSteps steps = new SimClientSteps(broker.client());

    private void reconnect() {
        admin = new TopicSteps(broker.client());
        steps = new SimClientSteps(broker.client());
    }

    private void restart() {
        broker.killAndRestart();
        reconnect();
    }

    private void write(String topic, String... values) {
        for (String value : values) {
            SimClientSteps.check(
                    steps.produce(topic, null, Sender.NOBODY, value).errorCode());
        }
    }

    @Test
    void what_is_not_said_is_taken_from_the_broker() {
        CreatableTopicResult created = admin.create("t", -1, Map.of());

        assertThat(Errors.forCode(created.errorCode())).isEqualTo(Errors.NONE);
        assertThat(created.numPartitions()).isEqualTo(3);
        assertThat(created.replicationFactor()).isEqualTo((short) 1);
        assertThat(created.topicId()).isNotEqualTo(Uuid.ZERO_UUID);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "a b", "a:b", "\u00e9"})
    void a_name_that_could_not_be_a_folder_is_refused(String name) {
        assertThat(Errors.forCode(admin.create(name, 1, Map.of()).errorCode()))
                .isEqualTo(Errors.INVALID_TOPIC_EXCEPTION);
    }

    @Test
    void a_name_may_have_249_letters_and_no_more() {
        assertThat(Errors.forCode(admin.create("x".repeat(249), 1, Map.of()).errorCode()))
                .isEqualTo(Errors.NONE);
        assertThat(Errors.forCode(admin.create("x".repeat(250), 1, Map.of()).errorCode()))
                .isEqualTo(Errors.INVALID_TOPIC_EXCEPTION);
    }

    @Test
    void a_topic_that_exists_is_not_made_again() {
        admin.create("t", 1, Map.of());

        assertThat(Errors.forCode(admin.create("t", 1, Map.of()).errorCode())).isEqualTo(Errors.TOPIC_ALREADY_EXISTS);
    }

    @Test
    void impossible_counts_are_refused() {
        assertThat(Errors.forCode(admin.create("t", 0, Map.of()).errorCode())).isEqualTo(Errors.INVALID_PARTITIONS);
        CreatableTopic tooMany = TopicSteps.topic("t", 1, Map.of()).setReplicationFactor((short) 3);
        assertThat(Errors.forCode(admin.create(tooMany).errorCode())).isEqualTo(Errors.INVALID_REPLICATION_FACTOR);
    }

    @Test
    void replicas_can_be_placed_by_hand_where_there_is_a_broker() {
        CreatableTopic here = TopicSteps.topic("here", -1, Map.of());
        here.assignments()
                .add(new CreatableReplicaAssignment().setPartitionIndex(0).setBrokerIds(List.of(1)));
        CreatableTopic nowhere = TopicSteps.topic("nowhere", -1, Map.of());
        nowhere.assignments()
                .add(new CreatableReplicaAssignment().setPartitionIndex(0).setBrokerIds(List.of(77)));

        CreatableTopicResult placed = admin.create(here);

        assertThat(Errors.forCode(placed.errorCode())).isEqualTo(Errors.NONE);
        assertThat(placed.numPartitions()).isEqualTo(1);
        assertThat(Errors.forCode(admin.create(nowhere).errorCode())).isEqualTo(Errors.INVALID_REPLICA_ASSIGNMENT);
    }

    @Test
    void a_topic_made_again_under_its_old_name_is_another_one_and_empty() {
        Uuid first = admin.create("t", 1, Map.of()).topicId();
        write("t", "old");

        assertThat(admin.delete("t")).isEqualTo(Errors.NONE);
        Errors meanwhile = Errors.forCode(admin.about("t").errorCode());
        Uuid second = admin.create("t", 1, Map.of()).topicId();

        assertThat(meanwhile).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(second).isNotEqualTo(first);
        assertThat(steps.committedValues("t")).isEmpty();
        write("t", "new");
        restart();
        assertThat(steps.committedValues("t")).containsExactly("new");
    }

    @Test
    void a_topic_that_never_had_a_record_can_be_deleted_and_made_again() {
        admin.create("t", 4, Map.of());

        assertThat(admin.delete("t")).isEqualTo(Errors.NONE);
        admin.create("t", 1, Map.of());
        write("t", "new");

        assertThat(steps.committedValues("t")).containsExactly("new");
    }

    @Test
    void many_partitions_cost_descriptors_only_while_they_are_written() {
        int partitions = 200;
        admin.create("many", partitions, Map.of());
        int whenEmpty = broker.disk.openFiles();
        for (int partition = 0; partition < partitions; partition++) {
            SimClientSteps.check(steps.produce("many", partition, null, Sender.NOBODY, "value")
                    .errorCode());
        }
        int whenWritten = broker.disk.openFiles();

        broker.world.runFor(120_000);

        assertThat(whenWritten).isGreaterThanOrEqualTo(whenEmpty + partitions);
        assertThat(broker.disk.openFiles()).isLessThanOrEqualTo(whenEmpty);
        broker.powerCutAndRestart();
        reconnect();
        assertThat(steps.committedValues("many", partitions - 1)).containsExactly("value");
    }

    @Test
    void a_deleted_topic_stays_deleted_after_a_restart_and_leaves_no_files() {
        admin.create("t", 1, Map.of());
        write("t", "value");

        admin.delete("t");
        restart();
        broker.world.runFor(300_000);

        assertThat(Errors.forCode(admin.about("t").errorCode())).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(broker.disk.list(Path.of("/data")))
                .noneMatch(path -> path.getFileName().toString().startsWith("t-"));
    }

    @Test
    void partitions_grow_and_never_shrink() {
        admin.create("t", 1, Map.of());
        write("t", "kept");

        assertThat(admin.grow("t", 3)).isEqualTo(Errors.NONE);
        assertThat(admin.grow("t", 2)).isEqualTo(Errors.INVALID_PARTITIONS);
        assertThat(admin.grow("unknown", 2)).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        restart();
        assertThat(admin.about("t").partitions()).hasSize(3);
        assertThat(steps.committedValues("t")).containsExactly("kept");
    }

    @Test
    void a_topic_that_is_asked_for_is_made_when_client_and_broker_agree() {
        Errors clientSaysNo = Errors.forCode(admin.about("a", false).errorCode());
        Errors bothSayYes = Errors.forCode(admin.about("b", true).errorCode());
        broker = new SimBroker(5, Map.of(BrokerSettings.AUTO_CREATE_TOPICS, "false"));
        reconnect();
        Errors brokerSaysNo = Errors.forCode(admin.about("c", true).errorCode());

        assertThat(clientSaysNo).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(bothSayYes).isEqualTo(Errors.NONE);
        assertThat(brokerSaysNo).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void clients_do_not_write_to_the_internal_topics_and_do_not_delete_them() {
        steps.init("tx", 60_000);

        Errors written = Errors.forCode(steps.produce("__transaction_state", null, Sender.NOBODY, "nonsense")
                .errorCode());

        assertThat(written).isEqualTo(Errors.INVALID_TOPIC_EXCEPTION);
        assertThat(admin.delete("__transaction_state")).isNotEqualTo(Errors.NONE);
        assertThat(admin.about("__transaction_state").isInternal()).isTrue();
    }

    @Test
    void deleted_records_stay_deleted_after_a_restart() {
        admin.create("t", 1, Map.of());
        write("t", "a", "b", "c");

        long start = admin.deleteRecords("t", 2).lowWatermark();
        Errors beyond = Errors.forCode(admin.deleteRecords("t", 9).errorCode());
        restart();

        assertThat(start).isEqualTo(2);
        assertThat(beyond).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
        assertThat(admin.deleteRecords("t", 1).lowWatermark()).isEqualTo(2);
        assertThat(admin.deleteRecords("t", -1).lowWatermark()).isEqualTo(3);
        assertThat(steps.endOffset("t", IsolationLevel.READ_UNCOMMITTED)).isEqualTo(3);
    }

    @Test
    void a_long_description_comes_in_pages() {
        admin.create("a", 3, Map.of());
        admin.create("b", 4, Map.of());
        SimBroker.Client client = broker.client();
        DescribeTopicPartitionsRequestData request = new DescribeTopicPartitionsRequestData()
                .setTopics(List.of(new TopicRequest().setName("a"), new TopicRequest().setName("b")))
                .setResponsePartitionLimit(2);
        List<String> seen = new ArrayList<>();

        while (true) {
            DescribeTopicPartitionsResponseData page =
                    client.call(request, 0, DescribeTopicPartitionsResponseData.class);
            page.topics()
                    .forEach(topic -> topic.partitions()
                            .forEach(partition -> seen.add(topic.name() + partition.partitionIndex())));
            if (page.nextCursor() == null) {
                break;
            }
            request.setCursor(new DescribeTopicPartitionsRequestData.Cursor()
                    .setTopicName(page.nextCursor().topicName())
                    .setPartitionIndex(page.nextCursor().partitionIndex()));
        }

        List<String> all = new ArrayList<>();
        IntStream.range(0, 3).forEach(index -> all.add("a" + index));
        IntStream.range(0, 4).forEach(index -> all.add("b" + index));
        assertThat(seen).isEqualTo(all);
    }
}
