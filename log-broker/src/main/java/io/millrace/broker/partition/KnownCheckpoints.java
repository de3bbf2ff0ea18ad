package io.millrace.broker.partition;

import io.millrace.broker.log.LogCheckpoint;
import io.millrace.kernel.Disk;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.TopicPartition;

/**
 * What is known of each log of a data folder from one start to the next: by this process, or, of a log that it has not
 * opened yet, by an earlier one. Any thread.
 */
final class KnownCheckpoints {
    private static final String RECOVERY_POINTS = "recovery-point-offset-checkpoint";
    private static final String START_OFFSETS = "log-start-offset-checkpoint";
    private static final String CLEANED_OFFSETS = "cleaner-offset-checkpoint";

    private final Disk disk;
    private final Path root;
    private final Map<TopicPartition, LogCheckpoint> known = new ConcurrentHashMap<>();

    private KnownCheckpoints(Disk disk, Path root) {
        this.disk = disk;
        this.root = root;
    }

    static KnownCheckpoints read(Disk disk, Path root) {
        KnownCheckpoints read = new KnownCheckpoints(disk, root);
        Map<TopicPartition, Long> recovery = CheckpointFile.read(disk, root.resolve(RECOVERY_POINTS));
        Map<TopicPartition, Long> starts = CheckpointFile.read(disk, root.resolve(START_OFFSETS));
        Map<TopicPartition, Long> cleaned = CheckpointFile.read(disk, root.resolve(CLEANED_OFFSETS));
        Set<TopicPartition> all = new HashSet<>(recovery.keySet());
        all.addAll(starts.keySet());
        all.addAll(cleaned.keySet());
        all.forEach(partition -> read.put(
                partition,
                new LogCheckpoint(
                        recovery.getOrDefault(partition, 0L),
                        starts.getOrDefault(partition, 0L),
                        cleaned.getOrDefault(partition, 0L))));
        return read;
    }

    LogCheckpoint of(TopicPartition partition) {
        return known.getOrDefault(partition, LogCheckpoint.NONE);
    }

    /** @return whether that is something new */
    boolean put(TopicPartition partition, LogCheckpoint checkpoint) {
        LogCheckpoint before =
                checkpoint.equals(LogCheckpoint.NONE) ? known.remove(partition) : known.put(partition, checkpoint);
        return !checkpoint.equals(before == null ? LogCheckpoint.NONE : before);
    }

    /** The log is gone, or is to begin anew. @return whether anything was known */
    boolean forget(TopicPartition partition) {
        return put(partition, LogCheckpoint.NONE);
    }

    void write() {
        write(RECOVERY_POINTS, LogCheckpoint::recoveryPoint);
        write(START_OFFSETS, LogCheckpoint::startOffset);
        write(CLEANED_OFFSETS, LogCheckpoint::cleanedOffset);
    }

    private void write(String file, ToLongFunction<LogCheckpoint> which) {
        SortedMap<String, CheckpointFile.Entry> offsets = new TreeMap<>();
        known.forEach((partition, checkpoint) -> {
            long offset = which.applyAsLong(checkpoint);
            if (offset > 0) {
                offsets.put(DataFolder.folderName(partition), new CheckpointFile.Entry(partition, offset));
            }
        });
        CheckpointFile.write(disk, root.resolve(file), offsets);
    }
}
