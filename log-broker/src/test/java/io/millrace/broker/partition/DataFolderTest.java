package io.millrace.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.LastStop;
import io.millrace.kernel.sim.SimDisk;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DataFolderTest {
    private static final Path ROOT = Path.of("/data");

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
}
