package io.millrace.broker.partition;

import io.millrace.kernel.Disk;
import io.millrace.kernel.DiskException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import org.apache.kafka.common.TopicPartition;

/** A file with an offset for each partition: a version, a count, and a line for each. */
final class CheckpointFile {
    private CheckpointFile() {}

    static Map<TopicPartition, Long> read(Disk disk, Path file) {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        if (!disk.exists(file)) {
            return offsets;
        }
        String[] lines = new String(disk.readFully(file), StandardCharsets.UTF_8).split("\n");
        try {
            for (int line = 2; line < lines.length; line++) {
                String[] fields = lines[line].split(" ");
                offsets.put(new TopicPartition(fields[0], Integer.parseInt(fields[1])), Long.parseLong(fields[2]));
            }
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new DiskException(DiskException.Kind.BROKEN, "understand", file, e);
        }
        return offsets;
    }

    /** @param offsets by folder name */
    static void write(Disk disk, Path file, SortedMap<String, Entry> offsets) {
        StringBuilder text = new StringBuilder("0\n").append(offsets.size()).append('\n');
        offsets.values()
                .forEach(entry -> text.append(entry.partition().topic())
                        .append(' ')
                        .append(entry.partition().partition())
                        .append(' ')
                        .append(entry.offset())
                        .append('\n'));
        disk.replace(file, text.toString().getBytes(StandardCharsets.UTF_8));
    }

    record Entry(TopicPartition partition, long offset) {}
}
