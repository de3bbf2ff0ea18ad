package io.millrace.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.LastStop;
import io.millrace.broker.log.LogCheckpoint;
import io.millrace.kernel.sim.SimDisk;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DataFolderTest {
    private static final Path ROOT = Path.of("/data");
    private static final TopicIdPartition PARTITION = new TopicIdPartition(Uuid.randomUuid(), 0, "t");

    private final SimDisk disk = new SimDisk();

    @BeforeEach
    void createFolder() {
        disk.createFolders(ROOT);
    }

    private DataFolder start() {
        return new DataFolder(disk, ROOT);
    }

    @Test
    void a_clean_stop_is_known_to_the_next_start_alone() {
        start().registered(7);
        start().markCleanStop();

        DataFolder next = start();
        assertThat(next.lastStop()).isEqualTo(LastStop.CLEAN);
        assertThat(next.lastEpochWithoutLoss()).isEqualTo(7);
        assertThat(start().lastStop()).isEqualTo(LastStop.KILLED);
    }

    @Test
    void a_power_cut_is_not_taken_for_the_clean_stop_before_it() {
        start().registered(7);
        start().markCleanStop();
        start();

        disk.crash();

        DataFolder afterwards = start();
        assertThat(afterwards.lastStop()).isEqualTo(LastStop.POWER_CUT);
        assertThat(afterwards.lastEpochWithoutLoss()).isEqualTo(-1);
    }

    private static void open(DataFolder folder) {
        folder.prepare(PARTITION);
        folder.opened(PARTITION.topicPartition());
    }

    private void partitionOfAKilledProcess() {
        start().registered(7);
        open(start());
        PartitionMetadata log = new PartitionMetadata(disk, ROOT.resolve("t-0"), PARTITION.topicId());
        log.make();
        log.force();
    }

    @Test
    void logs_that_were_not_opened_since_a_crash_are_not_vouched_for() {
        partitionOfAKilledProcess();

        start().markCleanStop();

        assertThat(start().lastStop()).isEqualTo(LastStop.KILLED);
    }

    @Test
    void once_all_logs_were_opened_a_clean_stop_counts() {
        partitionOfAKilledProcess();

        DataFolder folder = start();
        open(folder);
        folder.markCleanStop();

        assertThat(start().lastStop()).isEqualTo(LastStop.CLEAN);
    }

    @Test
    void a_log_that_is_opened_a_second_time_is_one_that_the_process_had_to_give_up() {
        partitionOfAKilledProcess();
        DataFolder stopped = start();
        open(stopped);
        stopped.markCleanStop();

        DataFolder folder = start();
        LastStop first = folder.lastStop(PARTITION.topicPartition());
        open(folder);

        assertThat(first).isEqualTo(LastStop.CLEAN);
        assertThat(folder.lastStop(PARTITION.topicPartition())).isEqualTo(LastStop.KILLED);
    }

    @Test
    void what_is_known_of_a_log_is_kept_until_it_is_opened_or_gone() {
        partitionOfAKilledProcess();
        LogCheckpoint checkpoint = new LogCheckpoint(20, 10, 0);
        DataFolder folder = start();
        folder.known().put(PARTITION.topicPartition(), checkpoint);
        folder.known().write();

        DataFolder unopened = start();
        unopened.known().put(new TopicPartition("other", 0), new LogCheckpoint(1, 0, 0));
        unopened.known().write();
        DataFolder next = start();
        LogCheckpoint kept = next.known().of(PARTITION.topicPartition());
        next.removeStrays(Set.of());

        assertThat(kept).isEqualTo(checkpoint);
        assertThat(next.known().of(PARTITION.topicPartition())).isEqualTo(LogCheckpoint.NONE);
    }

    @Test
    void a_removal_that_a_crash_cut_short_is_completed_and_is_no_log() {
        partitionOfAKilledProcess();
        disk.rename(ROOT.resolve("t-0"), ROOT.resolve("t-0-delete"));

        DataFolder folder = start();
        List<TopicPartition> found = folder.partitions();
        folder.removeStrays(Set.of());
        folder.markCleanStop();

        assertThat(found).isEmpty();
        assertThat(disk.exists(ROOT.resolve("t-0-delete"))).isFalse();
        assertThat(start().lastStop()).isEqualTo(LastStop.CLEAN);
    }
}
