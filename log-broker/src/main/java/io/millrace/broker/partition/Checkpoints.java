package io.millrace.broker.partition;

import io.millrace.broker.log.LogCheckpoint;
import io.millrace.kernel.DiskException;
import io.millrace.kernel.Host;
import io.millrace.kernel.Loop;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A loop for slow work on files: it forces logs for the shards, and writes the checkpoint files that they report. */
public final class Checkpoints implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
    private static final int QUEUE = 64;

    /** A topic of many partitions is deleted with one write. */
    private static final long SOON_MS = 50;

    private final Host host;
    private final KnownCheckpoints known;
    private final List<Runnable> unwritten = new ArrayList<>();
    private boolean changed;
    private boolean writingSoon;
    private final Loop<Runnable> loop;

    public Checkpoints(Host host, DataFolder folder) {
        this.host = host;
        this.known = folder.known();
        this.loop = host.loops().start("millrace-checkpoints", QUEUE, Runnable::run);
    }

    /** A partition is gone for good: what was known of it must not be taken for that of a later one of its name. */
    void gone(TopicPartition partition) {
        loop.submit(() -> {
            changed |= known.forget(partition);
            if (changed && !writingSoon) {
                writingSoon = true;
                host.timers().after(SOON_MS, loop, () -> {
                    writingSoon = false;
                    write();
                });
            }
        });
    }

    void report(Report report) {
        loop.submit(() -> write(report));
    }

    /** Does slow work on files away from the shards. */
    void run(Runnable work) {
        loop.submit(work);
    }

    private void write(Report report) {
        unwritten.add(report.written());
        report.lines().forEach(line -> changed |= known.put(line.partition(), line.checkpoint()));
        write();
    }

    /** On a disk in trouble the files stay as they were, which costs time at the next start; a later report tries again. */
    private void write() {
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
        if (changed) {
            known.write();
            changed = false;
        }
    }

    @Override
    public void close() {
        loop.close();
    }

    /** What is to be written for a partition. */
    record Line(TopicPartition partition, LogCheckpoint checkpoint) {}

    /** All partitions of a shard. */
    record Report(List<Line> lines, Runnable written) {}
}
