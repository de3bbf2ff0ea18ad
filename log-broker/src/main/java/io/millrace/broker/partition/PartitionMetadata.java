package io.millrace.broker.partition;

import io.millrace.broker.log.LogFolder;
import io.millrace.kernel.Disk;
import io.millrace.kernel.DiskException;
import io.millrace.kernel.DiskFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.kafka.common.Uuid;

/**
 * The file in a partition's folder that says to which topic it belongs (KIP-516). It is the first in the folder and
 * forced together with it: where a power cut has left the folder without it, nothing in there was forced either.
 */
record PartitionMetadata(Disk disk, Path folder, Uuid topicId) implements LogFolder.Maker {
    private static final String FILE = "partition.metadata";
    private static final String TOPIC_ID = "topic_id:";

    static Path file(Path folder) {
        return folder.resolve(FILE);
    }

    /** The topic that the folder belongs to; empty where the file is missing, or as empty as one never forced may be. */
    Optional<Uuid> found() {
        Path file = file(folder);
        String content = disk.exists(file) ? new String(disk.readFully(file), StandardCharsets.UTF_8) : "";
        if (content.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(content.lines()
                .filter(line -> line.startsWith(TOPIC_ID))
                .map(line -> Uuid.fromString(line.substring(TOPIC_ID.length()).trim()))
                .findFirst()
                .orElseThrow(
                        () -> new DiskException(DiskException.Kind.BROKEN, "read", file, "it names no " + TOPIC_ID)));
    }

    @Override
    public void make() {
        disk.createFolders(folder);
        DiskFile file = disk.open(file(folder));
        try {
            String content = "version: 0\n" + TOPIC_ID + " " + topicId + "\n";
            file.write(0, ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)));
        } finally {
            file.release();
        }
    }

    @Override
    public void force() {
        DiskFile file = disk.open(file(folder));
        try {
            file.force();
        } finally {
            file.release();
        }
        disk.forceFolder(folder.getParent());
    }
}
