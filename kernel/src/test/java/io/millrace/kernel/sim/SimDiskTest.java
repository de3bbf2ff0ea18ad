package io.millrace.kernel.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.kernel.DiskException;
import io.millrace.kernel.DiskFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SimDiskTest {
    private static final Path FOLDER = Path.of("/data");
    private static final Path FILE = FOLDER.resolve("file");

    private final SimDisk disk = new SimDisk();

    SimDiskTest() {
        disk.createFolders(FOLDER);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private String content() {
        return new String(disk.readFully(FILE), StandardCharsets.UTF_8);
    }

    @Test
    void a_power_cut_loses_what_was_not_forced() {
        DiskFile file = disk.open(FILE);
        disk.forceFolder(FOLDER);
        file.write(0, bytes("kept"));
        file.force();
        file.write(4, bytes(" lost"));

        disk.crash();

        assertThat(content()).isEqualTo("kept");
    }

    @Test
    void a_power_cut_loses_a_file_whose_folder_was_not_forced() {
        disk.open(FILE).force();

        disk.crash();

        assertThat(disk.exists(FILE)).isFalse();
    }

    @Test
    void a_file_needs_its_folder() {
        assertThatThrownBy(() -> disk.open(FOLDER.resolve("none/file")))
                .isInstanceOfSatisfying(
                        DiskException.class, e -> assertThat(e.kind()).isEqualTo(DiskException.Kind.MISSING));
    }

    @Test
    void a_power_cut_loses_a_folder_whose_parent_was_not_forced_and_all_that_is_in_it() {
        Path forced = FOLDER.resolve("forced");
        Path unforced = FOLDER.resolve("unforced");
        disk.createFolders(forced);
        disk.forceFolder(FOLDER);
        disk.createFolders(unforced);
        disk.replace(forced.resolve("file"), new byte[1]);
        disk.replace(unforced.resolve("file"), new byte[1]);

        disk.crash();

        assertThat(disk.list(FOLDER)).containsExactly(forced);
        assertThat(disk.list(forced)).containsExactly(forced.resolve("file"));
        assertThat(disk.exists(unforced.resolve("file"))).isFalse();
    }

    @Test
    void the_death_of_a_process_loses_nothing_that_was_written_and_its_handles_change_nothing_more() {
        DiskFile file = disk.open(FILE);
        file.write(0, bytes("written"));

        disk.killOwner();
        file.write(0, bytes("zombie!"));

        assertThat(content()).isEqualTo("written");
    }

    @Test
    void a_full_disk_refuses_growth_and_heals() {
        DiskFile file = disk.open(FILE);
        file.write(0, bytes("12345"));
        disk.capacity(6);

        assertThatThrownBy(() -> file.write(5, bytes("678")))
                .isInstanceOfSatisfying(
                        DiskException.class, e -> assertThat(e.kind()).isEqualTo(DiskException.Kind.FULL));
        disk.capacity(100);
        file.write(5, bytes("678"));

        assertThat(content()).isEqualTo("12345678");
    }
}
