package io.millrace.broker.partition;

import io.millrace.broker.log.LastStop;
import io.millrace.broker.log.LogCheckpoint;
import io.millrace.broker.log.LogFolder;
import io.millrace.kernel.Disk;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The folder with a broker's data: one folder a partition, and a few small files about all of them. */
public final class DataFolder {
    private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);
    public static final String LOCK = ".lock";

    private static final String CLEAN_STOP = ".kafka_cleanshutdown";
    private static final String DELETED = "-delete";
    private static final String METADATA_LOG = "__cluster_metadata-0";

    private final Disk disk;
    private final Path root;
    private final LastStop lastStop;
    private final long lastEpochWithoutLoss;
    private final Map<TopicPartition, Long> recoveryPoints;
    private final Map<TopicPartition, Long> startOffsets;
    private final Map<TopicPartition, Long> cleanedOffsets;

    /** Reads what the last run left behind, and marks that one is running now. */
    public DataFolder(Disk disk, Path root) {
        this.disk = disk;
        this.root = root;
        Path mark = root.resolve(CLEAN_STOP);
        boolean clean = disk.exists(mark);
        if (clean) {
            disk.delete(mark);
            disk.forceFolder(root); // or it might be there again after a power cut, and vouch for what was lost
        }
        lastEpochWithoutLoss = new BrokerEpochFile(disk, root).lastWithoutLoss(clean);
        lastStop = clean ? LastStop.CLEAN : lastEpochWithoutLoss < 0 ? LastStop.POWER_CUT : LastStop.KILLED;
        recoveryPoints = CheckpointFile.read(disk, root.resolve(CheckpointFile.RECOVERY_POINTS));
        startOffsets = CheckpointFile.read(disk, root.resolve(CheckpointFile.START_OFFSETS));
        cleanedOffsets = CheckpointFile.read(disk, root.resolve(CheckpointFile.CLEANED_OFFSETS));
    }

    public Path root() {
        return root;
    }

    public Path metadataLog() {
        return root.resolve(METADATA_LOG);
    }

    /** How the last run ended; a power cut where that is not known. */
    public LastStop lastStop() {
        return lastStop;
    }

    /** The epoch under which this broker was registered last, if its logs have lost nothing since; else -1. */
    public long lastEpochWithoutLoss() {
        return lastEpochWithoutLoss;
    }

    /** This broker is registered under an epoch. */
    public void registered(long epoch) {
        new BrokerEpochFile(disk, root).write(epoch);
    }

    /** To be called last of all when stopping. */
    public void markCleanStop() {
        disk.replace(root.resolve(CLEAN_STOP), "{\"version\":0}".getBytes(StandardCharsets.UTF_8));
    }

    /** What the last run wrote down of a partition. */
    LogCheckpoint checkpoint(TopicPartition partition) {
        return new LogCheckpoint(
                recoveryPoints.getOrDefault(partition, 0L),
                startOffsets.getOrDefault(partition, 0L),
                cleanedOffsets.getOrDefault(partition, 0L));
    }

    /**
     * The folder of a partition, which is made once the partition has something to put there. What it holds of an earlier
     * topic of the same name is removed, which completes a deletion that a crash cut short.
     */
    LogFolder prepare(TopicIdPartition partition) {
        Path folder = root.resolve(folderName(partition.topicPartition()));
        PartitionMetadata metadata = new PartitionMetadata(disk, folder, partition.topicId());
        if (disk.exists(folder)) {
            Optional<Uuid> found = metadata.found();
            if (found.isPresent() && found.get().equals(partition.topicId())) {
                return LogFolder.existing(disk, folder, metadata);
            }
            LOG.info(
                    "{} belongs to {}; it is removed",
                    folder,
                    found.isPresent() ? "the deleted topic " + found.get() : "nobody: it was never forced");
            delete(folder);
        }
        recoveryPoints.remove(partition.topicPartition());
        startOffsets.remove(partition.topicPartition());
        cleanedOffsets.remove(partition.topicPartition());
        return LogFolder.unmade(disk, folder, metadata);
    }

    /** Removes a partition's folder where there is one; after a crash half-way, {@link #removeStrays} finishes it. */
    void delete(Path folder) {
        if (!disk.exists(folder)) {
            return;
        }
        Path doomed = folder.resolveSibling(folder.getFileName() + DELETED);
        disk.delete(doomed);
        disk.rename(folder, doomed);
        disk.delete(doomed);
    }

    /** Removes folders of partitions that do not exist any more. */
    public void removeStrays(Set<String> expected) {
        for (Path path : disk.list(root)) {
            String name = path.getFileName().toString();
            boolean stray = !expected.contains(name) && disk.exists(PartitionMetadata.file(path));
            if (stray || name.endsWith(DELETED)) {
                LOG.info("{} is left over from a deleted topic; it is removed", path);
                disk.delete(path);
            }
        }
    }

    public static String folderName(TopicPartition partition) {
        return partition.topic() + "-" + partition.partition();
    }

    /** The identity of the cluster and of this node in it, made at the first start; see {@link #identify}. */
    public record Identity(String clusterId, int nodeId) {}

    /**
     * Reads the identity of this folder, or gives it one.
     *
     * @param clusterId the cluster that the node is set to belong to; empty for whichever
     * @throws IllegalStateException when the folder belongs to another node
     */
    public Identity identify(Identity fresh, String clusterId) {
        Path file = root.resolve("meta.properties");
        if (!disk.exists(file)) {
            Map<String, String> values = new TreeMap<>();
            values.put("version", "1");
            values.put("cluster.id", fresh.clusterId());
            values.put("node.id", String.valueOf(fresh.nodeId()));
            StringWriter text = new StringWriter();
            values.forEach(
                    (name, value) -> text.append(name).append('=').append(value).append('\n'));
            disk.replace(file, text.toString().getBytes(StandardCharsets.UTF_8));
            return fresh;
        }
        Properties found = new Properties();
        try {
            found.load(new StringReader(new String(disk.readFully(file), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Identity identity =
                new Identity(found.getProperty("cluster.id"), Integer.parseInt(found.getProperty("node.id", "-1")));
        if (!clusterId.isEmpty() && !clusterId.equals(identity.clusterId())) {
            throw new IllegalStateException(
                    root + " belongs to cluster " + identity.clusterId() + ", this node is set to "
                            + clusterId + "; give the folder of this cluster's node, or set cluster.id="
                            + identity.clusterId());
        }
        if (identity.nodeId() != fresh.nodeId()) {
            throw new IllegalStateException(root + " belongs to node " + identity.nodeId() + ", this is node "
                    + fresh.nodeId() + "; give the folder of this node, or set node.id=" + identity.nodeId());
        }
        return identity;
    }
}
