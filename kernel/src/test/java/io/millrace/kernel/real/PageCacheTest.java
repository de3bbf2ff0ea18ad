package io.millrace.kernel.real;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.kernel.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageCacheTest {
    private static final int MIB = 1 << 20;
    private static final int MAPPED_AT = 64 * MIB;

    @TempDir
    Path folder;

    private final FileDisk disk = new FileDisk();

    private DiskFile file(int mib) {
        DiskFile file = disk.open(folder.resolve("file"));
        for (int i = 0; i < mib; i++) {
            file.write((long) i * MIB, ByteBuffer.allocate(MIB));
        }
        return file;
    }

    @Test
    void what_has_just_been_written_is_in_memory_whether_the_file_is_mapped_or_not() {
        DiskFile file = file(65);

        assertThat(file.isInMemory(0, MIB)).isTrue();
        assertThat(file.isInMemory(64L * MIB, MIB)).isTrue();
        file.write(65L * MIB, ByteBuffer.allocate(MIB));
        assertThat(file.isInMemory(65L * MIB, MIB)).as("behind what is mapped").isTrue();
        file.release();
    }

    @Test
    void a_hole_that_nobody_has_read_is_not_in_memory() {
        DiskFile file = file(1);
        file.write(2L * MAPPED_AT, ByteBuffer.allocate(1));

        assertThat(file.isInMemory(MAPPED_AT, MIB)).isFalse();
        assertThat(file.read(MAPPED_AT, ByteBuffer.allocate(MIB))).isEqualTo(MIB);
        assertThat(file.isInMemory(MAPPED_AT, MIB)).isTrue();
        file.release();
    }

    @Test
    void a_file_that_is_cut_off_and_closed_while_it_is_mapped_harms_nobody() throws Exception {
        DiskFile file = file(65);
        assertThat(file.isInMemory(0, MIB)).isTrue();

        assertThat(mappings()).contains(folder.resolve("file").toString());

        file.truncate(MIB);
        assertThat(file.isInMemory(2L * MIB, MIB)).isFalse();
        file.release();
        assertThat(file.retain()).isFalse();
        assertThat(mappings())
                .as("gone at once")
                .doesNotContain(folder.resolve("file").toString());
        assertThat(Files.size(folder.resolve("file"))).isEqualTo(MIB);
    }

    private static String mappings() throws IOException {
        return Files.readString(Path.of("/proc/self/maps"));
    }
}
