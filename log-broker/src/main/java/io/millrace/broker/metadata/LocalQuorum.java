package io.millrace.broker.metadata;

import io.millrace.broker.log.Appended;
import io.millrace.broker.log.EventRecords;
import io.millrace.broker.log.LastStop;
import io.millrace.broker.log.LogCheckpoint;
import io.millrace.broker.log.LogFolder;
import io.millrace.broker.log.LogSettings;
import io.millrace.broker.log.PartitionLog;
import io.millrace.kernel.Disk;
import io.millrace.kernel.EventCodec;
import io.millrace.kernel.Host;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** A quorum of one: the metadata log in a folder, forced to disk before anything in it counts as committed. */
public final class LocalQuorum implements MetadataQuorum {
    private static final int EPOCH = 0;
    private static final io.millrace.broker.log.Origin FROM = io.millrace.broker.log.Origin.COORDINATOR;
    private static final long TERM = 1;

    private final Host host;
    private final int node;
    private final PartitionLog log;
    private final Queue<Proposal> unforced = new ArrayDeque<>();
    private Listener listener;
    private volatile long committedUpTo;

    private LocalQuorum(Host host, int node, PartitionLog log) {
        this.host = host;
        this.node = node;
        this.log = log;
        this.committedUpTo = log.endOffset();
    }

    /** Opens the log in a folder, or begins one there. What was written but never forced is confirmed by forcing it. */
    public static LocalQuorum open(Host host, int node, Path folder) {
        PartitionLog log = log(host, folder);
        log.force();
        return new LocalQuorum(host, node, log);
    }

    /** The records in the log of a node that was alone; none where there is no log. */
    public static List<EventCodec.Entry> records(Host host, Path folder) {
        if (!host.disk().exists(folder)) {
            return List.of();
        }
        PartitionLog log = log(host, folder);
        List<EventCodec.Entry> records = records(log);
        log.close(false);
        return records;
    }

    private static List<EventCodec.Entry> records(PartitionLog log) {
        List<EventCodec.Entry> records = new ArrayList<>();
        EventRecords.replay(log.view(log.endOffset(), log.endOffset()), records::add);
        return records;
    }

    private static PartitionLog log(Host host, Path folder) {
        LogSettings settings = LogSettings.DEFAULTS.withRetention(new LogSettings.Retention(false, -1, -1, 0));
        return PartitionLog.open(
                folder(host.disk(), folder),
                settings,
                LogCheckpoint.NONE,
                LastStop.KILLED,
                host.clock().wallMs());
    }

    private static LogFolder folder(Disk disk, Path path) {
        LogFolder.Maker maker = new LogFolder.Maker() {
            @Override
            public void make() {
                disk.createFolders(path);
            }

            @Override
            public void force() {
                disk.forceFolder(path.getParent());
            }
        };
        return disk.exists(path) ? LogFolder.existing(disk, path, maker) : LogFolder.unmade(disk, path, maker);
    }

    @Override
    public void start(Listener toTell) {
        listener = toTell;
        listener.snapshot(committedUpTo, records(log));
        listener.leader(node, TERM);
        listener.leading(TERM);
    }

    @Override
    public void propose(long term, long number, List<EventCodec.Entry> records) {
        long nowMs = host.clock().wallMs();
        Appended appended = log.appendAsLeader(EventRecords.batch(records, nowMs), EPOCH, FROM, nowMs);
        if (appended instanceof Appended.Refused refused) {
            throw new IllegalStateException("the metadata log refused its own events: " + refused.message());
        }
        unforced.add(new Proposal(number, log.endOffset(), records));
    }

    @Override
    public void batchEnd() {
        if (unforced.isEmpty()) {
            return;
        }
        log.force();
        committedUpTo = log.endOffset();
        while (!unforced.isEmpty()) {
            Proposal done = unforced.remove();
            listener.committed(done.endOffset, new MetadataQuorum.Origin(TERM, done.number), done.records);
        }
    }

    /** Nothing to do: this node leads as long as it lives. */
    @Override
    public void leaderDied(int node) {}

    @Override
    public boolean holdsMajority() {
        return true;
    }

    @Override
    public CompletableFuture<Void> resign() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public Description describe() {
        long nowMs = host.clock().wallMs();
        return new Description(
                node, TERM, committedUpTo, List.of(new Member(node, committedUpTo, nowMs, nowMs)), List.of());
    }

    /** What is committed was forced, and each start reads the whole log. */
    @Override
    public void close() {
        log.close(false);
    }

    private record Proposal(long number, long endOffset, List<EventCodec.Entry> records) {}
}
