package io.millrace.broker.partition;

import io.millrace.broker.log.LastStop;
import io.millrace.broker.log.LogFolder;
import io.millrace.broker.log.LogSettings;
import io.millrace.broker.log.PartitionLog;
import io.millrace.kernel.Disk;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** The logs of a broker that is not running, to be looked at and mended by hand. No broker can start meanwhile. */
public final class StoppedLogs implements AutoCloseable {
    private final Disk disk;
    private final AutoCloseable lock;
    private final DataFolder folder;

    /**
     * @throws IllegalStateException when the broker has not stopped cleanly: its next start decides what its logs hold
     * @throws io.millrace.kernel.DiskException when it is running, or the folder is not to be used
     */
    public StoppedLogs(Disk disk, Path root) {
        if (!disk.exists(root)) {
            throw new IllegalStateException("there is no folder " + root + "; give the one with the broker's data");
        }
        this.disk = disk;
        lock = disk.lock(root.resolve(DataFolder.LOCK));
        folder = new DataFolder(disk, root);
        if (folder.lastStop() != LastStop.CLEAN) {
            release();
            throw new IllegalStateException(
                    root + " is not that of a broker that has stopped cleanly; start it and stop it first");
        }
    }

    public List<TopicPartition> partitions() {
        return folder.partitions().stream()
                .sorted(Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition))
                .toList();
    }

    /** To be closed by the caller, as after a clean stop. */
    public PartitionLog open(TopicPartition partition, long nowMs) {
        Path path = folder.root().resolve(DataFolder.folderName(partition));
        Uuid topic = new PartitionMetadata(disk, path, Uuid.ZERO_UUID)
                .found()
                .orElseThrow(() -> new IllegalStateException(
                        "there is no partition " + partition + " in " + folder.root() + "; it has " + partitions()));
        LogFolder log = LogFolder.existing(disk, path, new PartitionMetadata(disk, path, topic));
        return PartitionLog.open(log, LogSettings.DEFAULTS, folder.known().of(partition), LastStop.CLEAN, nowMs);
    }

    @Override
    public void close() {
        folder.markCleanStop();
        release();
    }

    private void release() {
        try {
            lock.close();
        } catch (Exception e) {
            throw new IllegalStateException("the lock of " + folder.root() + " cannot be given back", e);
        }
    }
}
