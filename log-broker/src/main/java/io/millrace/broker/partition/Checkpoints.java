package io.millrace.broker.partition;

import io.millrace.broker.log.LogCheckpoint;
import io.millrace.kernel.DiskException;
import io.millrace.kernel.Host;
import io.millrace.kernel.Loop;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A loop for slow work on files: it forces logs for the shards, and writes the checkpoint files that they report. */
public final class Checkpoints implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
    private static final int QUEUE = 64;

    private final Host host;
    private final Path root;
    private final Map<Integer, List<Line>> byShard = new HashMap<>();
    private final List<Runnable> unwritten = new ArrayList<>();
    private boolean changed;
    private final Loop<Runnable> loop;

    public Checkpoints(Host host, Path root) {
        this.host = host;
        this.root = root;
        this.loop = host.loops().start("millrace-checkpoints", QUEUE, Runnable::run);
    }

    void report(Report report) {
        loop.submit(() -> write(report));
    }

    /** Does slow work on files away from the shards. */
    void run(Runnable work) {
        loop.submit(work);
    }

    /** On a disk in trouble the files stay as they were, which costs time at the next start; a later report tries again. */
    private void write(Report report) {
        unwritten.add(report.written());
        changed |= !report.lines().equals(byShard.put(report.shard(), report.lines()));
        try {
            writeFilesIfChanged();
        } catch (DiskException e) {
            LOG.warn("recovery points are not written and will be tried again: {}", e.getMessage());
            return;
        }
        List<Runnable> written = List.copyOf(unwritten);
        unwritten.clear();
        written.forEach(Runnable::run);
    }

    private void writeFilesIfChanged() {
        if (!changed) {
            return;
        }
        SortedMap<String, CheckpointFile.Entry> recovery = new TreeMap<>();
        SortedMap<String, CheckpointFile.Entry> starts = new TreeMap<>();
        SortedMap<String, CheckpointFile.Entry> cleaned = new TreeMap<>();
        byShard.values()
                .forEach(lines -> lines.forEach(line -> {
                    String name = DataFolder.folderName(line.partition());
                    LogCheckpoint checkpoint = line.checkpoint();
                    if (checkpoint.recoveryPoint() > 0) {
                        recovery.put(name, new CheckpointFile.Entry(line.partition(), checkpoint.recoveryPoint()));
                    }
                    if (checkpoint.startOffset() > 0) {
                        starts.put(name, new CheckpointFile.Entry(line.partition(), checkpoint.startOffset()));
                    }
                    if (checkpoint.cleanedOffset() > 0) {
                        cleaned.put(name, new CheckpointFile.Entry(line.partition(), checkpoint.cleanedOffset()));
                    }
                }));
        CheckpointFile.write(host.disk(), root.resolve(CheckpointFile.RECOVERY_POINTS), recovery);
        CheckpointFile.write(host.disk(), root.resolve(CheckpointFile.START_OFFSETS), starts);
        CheckpointFile.write(host.disk(), root.resolve(CheckpointFile.CLEANED_OFFSETS), cleaned);
        changed = false;
    }

    @Override
    public void close() {
        loop.close();
    }

    /** What is to be written for a partition. */
    record Line(TopicPartition partition, LogCheckpoint checkpoint) {}

    /** All partitions of a shard of which there is something to say. */
    record Report(int shard, List<Line> lines, Runnable written) {}
}
