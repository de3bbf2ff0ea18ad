package io.millrace.broker.partition;

import io.millrace.broker.log.LastStop;
import io.millrace.broker.log.LogFolder;
import io.millrace.kernel.Disk;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
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
    private final KnownCheckpoints known;
    private final Set<TopicPartition> leftBehind; // whose logs this process has not opened yet

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
        known = KnownCheckpoints.read(disk, root);
        leftBehind = ConcurrentHashMap.newKeySet();
        leftBehind.addAll(partitions());
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

    /**
     * To be called last of all when stopping, after what was opened is closed. What this process never came to open is as
     * the one before has left it, so it must not be vouched for, unless that one had stopped cleanly.
     */
    public void markCleanStop() {
        if (lastStop != LastStop.CLEAN && !leftBehind.isEmpty()) {
            LOG.info("the next start checks all logs, for {} of them were not opened since a crash", leftBehind.size());
            return;
        }
        disk.replace(root.resolve(CLEAN_STOP), "{\"version\":0}".getBytes(StandardCharsets.UTF_8));
    }

    KnownCheckpoints known() {
        return known;
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
            delete(partition.topicPartition());
        }
        known.forget(partition.topicPartition());
        return LogFolder.unmade(disk, folder, metadata);
    }

    /**
     * How the process ended that had a log last: this very one, which may have had to give it up, or else an earlier one.
     */
    LastStop lastStop(TopicPartition partition) {
        return leftBehind.contains(partition) ? lastStop : LastStop.KILLED;
    }

    /** The log of a partition has been opened, and checked where there was need. */
    void opened(TopicPartition partition) {
        leftBehind.remove(partition);
    }

    /** Removes a partition's folder where there is one; after a crash half-way, {@link #removeStrays} finishes it. */
    void delete(TopicPartition partition) {
        Path folder = root.resolve(folderName(partition));
        leftBehind.remove(partition);
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
            String name = name(path);
            boolean doomed = name.endsWith(DELETED);
            if (!doomed && isPartition(path) && !expected.contains(name)) {
                LOG.info("{} is left over from a deleted topic; it is removed", path);
                known.forget(partition(name));
                delete(partition(name));
            } else if (doomed) {
                LOG.info("the removal of {} is completed", path);
                disk.delete(path);
            }
        }
    }

    /** Of which there is a log here. */
    List<TopicPartition> partitions() {
        return disk.list(root).stream()
                .filter(path -> isPartition(path) && !name(path).endsWith(DELETED))
                .map(path -> partition(name(path)))
                .toList();
    }

    private boolean isPartition(Path path) {
        return disk.exists(PartitionMetadata.file(path));
    }

    private static String name(Path folder) {
        return folder.getFileName().toString();
    }

    private static TopicPartition partition(String folderName) {
        int dash = folderName.lastIndexOf('-');
        return new TopicPartition(folderName.substring(0, dash), Integer.parseInt(folderName.substring(dash + 1)));
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
