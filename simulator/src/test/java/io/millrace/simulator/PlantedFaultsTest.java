package io.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.log.BatchBuilder;
import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.kernel.Disk;
import io.millrace.kernel.DiskFile;
import io.millrace.kernel.sim.SimDisk;
import io.millrace.simulator.checker.Attendance;
import io.millrace.simulator.checker.CopyCheck;
import io.millrace.simulator.checker.Leadership;
import io.millrace.simulator.checker.Ledger;
import io.millrace.simulator.checker.Ownership;
import io.millrace.simulator.checker.Promises;
import io.millrace.simulator.checker.ReadPosition;
import io.millrace.simulator.checker.Replicas;
import io.millrace.simulator.checker.Seen;
import io.millrace.simulator.checker.Violation;
import io.millrace.simulator.workload.Bench;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.Test;

/** Every check refuses what a faulty broker would have clients see; the faults are planted in what the checks are told. */
class PlantedFaultsTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final TopicPartition P1 = new TopicPartition("t", 1);

    private final Ledger ledger = new Ledger();
    private final SortedMap<TopicPartition, NavigableMap<Long, String>> all = new TreeMap<>(Ledger.BY_NAME);
    private final SortedMap<TopicPartition, NavigableMap<Long, String>> committed = new TreeMap<>(Ledger.BY_NAME);

    PlantedFaultsTest() {
        for (TopicPartition partition : List.of(P0, P1)) {
            all.put(partition, new TreeMap<>());
            committed.put(partition, new TreeMap<>());
        }
    }

    private void holds(TopicPartition partition, long offset, String value) {
        all.get(partition).put(offset, value);
        committed.get(partition).put(offset, value);
    }

    private void isRefusedAs(String invariant) {
        assertThatThrownBy(() -> new Promises(ledger, all, committed).check())
                .isInstanceOf(Violation.class)
                .hasMessageStartingWith(invariant);
    }

    private static Seen seen(String value) {
        return new Seen(value, false, false, -1, (short) -1);
    }

    /** Clients take the word of the leader alone for that of all replicas: some seed must lose a record by it. */
    @Test
    void acknowledgements_before_replication_in_a_whole_cluster() {
        assertThatThrownBy(() -> {
                    for (long seed = 1; seed <= 30; seed++) {
                        new Simulation(seed, null, Bench.LEADER_ALONE).run();
                    }
                })
                .isInstanceOf(Violation.class)
                .hasMessageMatching("(?s)I[1236].*");
    }

    @Test
    void a_record_acknowledged_before_it_was_replicated_and_lost() {
        ledger.acknowledged(P0, 0, "kept");
        ledger.acknowledged(P0, 1, "lost");
        holds(P0, 0, "kept");

        isRefusedAs("I1");
    }

    @Test
    void a_follower_that_was_not_in_sync_leads_and_another_record_takes_the_place() {
        ledger.saw(P0, 7, seen("of the old leader"));

        assertThatThrownBy(() -> ledger.saw(P0, 7, seen("of the new leader")))
                .isInstanceOf(Violation.class)
                .hasMessageStartingWith("I6");
    }

    @Test
    void a_retry_that_is_not_recognised() {
        ledger.sends("p", "once");
        holds(P0, 0, "once");
        holds(P0, 1, "once");

        isRefusedAs("I2");
    }

    @Test
    void records_of_one_producer_out_of_order() {
        ledger.sends("p", "first");
        ledger.sends("p", "second");
        holds(P0, 0, "second");
        holds(P0, 1, "first");

        isRefusedAs("I2");
    }

    @Test
    void a_commit_marker_that_got_lost_on_one_partition() {
        Ledger.Transfer transfer = ledger.transfer("both");
        transfer.writesTo(P0);
        transfer.writesTo(P1);
        transfer.ended(Ledger.Outcome.COMMITTED);
        holds(P0, 0, "both");

        isRefusedAs("I3");
    }

    @Test
    void a_transaction_that_was_aborted_and_is_read() {
        Ledger.Transfer transfer = ledger.transfer("aborted");
        transfer.writesTo(P0);
        transfer.ended(Ledger.Outcome.ABORTED);
        holds(P0, 0, "aborted");

        isRefusedAs("I3");
    }

    @Test
    void a_reader_of_committed_records_sees_an_open_transaction() {
        ledger.transfer("open");
        ReadPosition reader = new ReadPosition(ledger, P0, true);

        assertThatThrownBy(() -> reader.take(fetched(0, "open")))
                .isInstanceOf(Violation.class)
                .hasMessageStartingWith("I3");
    }

    @Test
    void a_reader_is_led_past_records() {
        ReadPosition reader = new ReadPosition(ledger, P0, false);

        assertThatThrownBy(() -> reader.take(fetched(2, "third")))
                .isInstanceOf(Violation.class)
                .hasMessageStartingWith("I1");
    }

    @Test
    void a_new_leader_that_knows_of_less_than_the_one_before() {
        ReadPosition reader = new ReadPosition(ledger, P0, false);
        reader.leaderSays(new PartitionData().setHighWatermark(8).setLastStableOffset(5));

        assertThatThrownBy(() -> reader.leaderSays(
                        new PartitionData().setHighWatermark(7).setLastStableOffset(5)))
                .isInstanceOf(Violation.class)
                .hasMessageStartingWith("I6");
        assertThatThrownBy(() -> reader.leaderSays(
                        new PartitionData().setHighWatermark(9).setLastStableOffset(4)))
                .isInstanceOf(Violation.class)
                .hasMessageStartingWith("I6");
    }

    @Test
    void a_follower_hands_out_what_is_cut_off_later() {
        ledger.saw(P0, 3, seen("only on a follower"));

        isRefusedAs("I6");
    }

    @Test
    void two_members_of_a_group_with_one_partition() {
        Ownership ownership = new Ownership();
        ownership.owns(4, P0, "one");
        ownership.owns(5, P0, "other");

        assertThatThrownBy(() -> ownership.owns(5, P0, "one"))
                .isInstanceOf(Violation.class)
                .hasMessageStartingWith("I5");
    }

    @Test
    void an_input_that_two_members_have_copied() {
        committed.get(P0).put(0L, "input");
        committed.get(P1).put(0L, CopyCheck.value("g-0", 0));
        committed.get(P1).put(1L, CopyCheck.value("g-0", 0));

        assertThatThrownBy(() -> new CopyCheck("g-0", P0, P1, 1).check(committed))
                .isInstanceOf(Violation.class)
                .hasMessageStartingWith("I4");
    }

    private static PartitionData fetched(long offset, String value) {
        ByteBuffer batch = batch(offset, 0, value);
        return new PartitionData()
                .setHighWatermark(offset + 1)
                .setLastStableOffset(offset + 1)
                .setRecords(MemoryRecords.readableRecords(batch));
    }

    private static ByteBuffer batch(long offset, int leaderEpoch, String value) {
        return new BatchBuilder()
                .at(offset, leaderEpoch)
                .add(0, null, value.getBytes(StandardCharsets.UTF_8))
                .build();
    }

    @Test
    void an_output_without_its_offset() {
        committed.get(P0).put(0L, "input");
        committed.get(P1).put(0L, CopyCheck.value("g", 0));

        assertThatThrownBy(() -> new CopyCheck("g", P0, P1, 0).check(committed))
                .isInstanceOf(Violation.class)
                .hasMessageStartingWith("I4");
    }

    @Test
    void a_producer_whose_epoch_nobody_checked() {
        ledger.forbids("of a fenced one");
        holds(P1, 0, "of a fenced one");

        isRefusedAs("I5");
    }

    @Test
    void a_log_that_was_not_truncated_where_its_epoch_parted() {
        Path folder = Path.of("/data/t-0");
        Disk one = log(folder, batch(0, 1, "of epoch 1"));
        Disk other = log(folder, batch(0, 2, "of epoch 2"));

        assertThatThrownBy(() -> Replicas.check("t-0", Map.of(1, one, 2, other), folder))
                .isInstanceOf(Violation.class)
                .hasMessageStartingWith("I6");
    }

    private static Disk log(Path folder, ByteBuffer batch) {
        SimDisk disk = new SimDisk();
        disk.createFolders(folder);
        DiskFile file = disk.open(folder.resolve("00000000000000000000.log"));
        file.write(0, batch);
        return disk;
    }

    @Test
    void two_leaders_in_one_epoch() {
        Leadership leadership = new Leadership();
        leadership.check(led(1, 4, 1, List.of(1, 2)));

        assertThatThrownBy(() -> leadership.check(led(2, 4, 2, List.of(1, 2))))
                .isInstanceOf(Violation.class)
                .hasMessageStartingWith("I7");
    }

    @Test
    void a_leader_that_is_not_in_sync() {
        Leadership leadership = new Leadership();

        assertThatThrownBy(() -> leadership.check(led(3, 1, 1, List.of(1, 2))))
                .isInstanceOf(Violation.class)
                .hasMessageStartingWith("I7");
    }

    private static ClusterImage led(int leader, int epoch, int version, List<Integer> inSync) {
        PartitionImage partition = new PartitionImage(
                0, leader, epoch, version, List.of(1, 2, 3), inSync, List.of(), -1, List.of(), List.of());
        TopicImage topic = new TopicImage(Uuid.ONE_UUID, "t", List.of(partition), Map.of());
        return cluster(Map.of(), Map.of("t", topic));
    }

    @Test
    void a_healthy_broker_that_is_fenced() {
        Attendance attendance = new Attendance();
        attendance.check(with(BrokerImage.State.ACTIVE), broker -> true);

        assertThatThrownBy(() -> attendance.check(with(BrokerImage.State.FENCED), broker -> true))
                .isInstanceOf(Violation.class)
                .hasMessageStartingWith("attendance");
    }

    private static ClusterImage with(BrokerImage.State state) {
        BrokerImage broker = new BrokerImage(1, "n1", 9092, "", 5, Uuid.ONE_UUID, state, false);
        return cluster(Map.of(1, broker), Map.of());
    }

    private static ClusterImage cluster(Map<Integer, BrokerImage> brokers, Map<String, TopicImage> topics) {
        return new ClusterImage("simulated", new TreeMap<>(brokers), new TreeMap<>(topics), Map.of(), new TreeMap<>());
    }
}
