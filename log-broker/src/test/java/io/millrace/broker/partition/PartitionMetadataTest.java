package io.millrace.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.kernel.DiskException;
import io.millrace.kernel.sim.SimDisk;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class PartitionMetadataTest {
    private static final Path FOLDER = Path.of("/data/t-0");
    private static final Uuid TOPIC = new Uuid(7, 11);

    private final SimDisk disk = new SimDisk();
    private final PartitionMetadata metadata = new PartitionMetadata(disk, FOLDER, TOPIC);

    @Test
    void says_to_which_topic_a_folder_belongs_as_kafka_does() {
        metadata.make();

        assertThat(metadata.found()).contains(TOPIC);
        assertThat(new String(disk.readFully(PartitionMetadata.file(FOLDER)), StandardCharsets.UTF_8))
                .isEqualTo("version: 0\ntopic_id: " + TOPIC + "\n");
    }

    @Test
    void survives_a_power_cut_once_forced_and_not_before() {
        metadata.make();
        disk.crash();
        assertThat(disk.exists(FOLDER)).isFalse();

        metadata.make();
        disk.forceFolder(FOLDER);
        metadata.force();
        disk.crash();

        assertThat(metadata.found()).contains(TOPIC);
    }

    @Test
    void a_folder_whose_content_never_reached_the_disk_belongs_to_nobody() {
        metadata.make();
        disk.forceFolder(FOLDER);
        disk.forceFolder(FOLDER.getParent());
        disk.crash();

        assertThat(disk.exists(PartitionMetadata.file(FOLDER))).isTrue();
        assertThat(metadata.found()).isEmpty();
    }

    @Test
    void nonsense_is_a_fault_and_no_reason_to_remove_anything() {
        metadata.make();
        disk.damage(PartitionMetadata.file(FOLDER), content -> "nonsense".getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(metadata::found)
                .isInstanceOf(DiskException.class)
                .hasMessageContaining("partition.metadata");
    }
}
