package io.millrace.broker.metadata;

import io.millrace.broker.log.Appended;
import io.millrace.broker.log.EventRecords;
import io.millrace.broker.log.LogCheckpoint;
import io.millrace.broker.log.LogFolder;
import io.millrace.broker.log.LogSettings;
import io.millrace.broker.log.Origin;
import io.millrace.broker.log.PartitionLog;
import io.millrace.kernel.Disk;
import io.millrace.kernel.EventCodec;
import io.millrace.kernel.Host;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** A quorum of one: the metadata log in a folder, forced to disk before anything in it counts as committed. */
public final class LocalQuorum implements MetadataQuorum {
    private static final int EPOCH = 0;

    private final Host host;
    private final PartitionLog log;
    private Listener listener = upTo -> {};
    private long committedUpTo;

    private LocalQuorum(Host host, PartitionLog log) {
        this.host = host;
        this.log = log;
        this.committedUpTo = log.endOffset();
    }

    /** Opens the log in a folder, or begins one there. What was written but never forced is confirmed by forcing it. */
    public static LocalQuorum open(Host host, Path folder) {
        LogSettings settings = LogSettings.DEFAULTS.withRetention(new LogSettings.Retention(false, -1, -1, 0));
        PartitionLog log = PartitionLog.open(
                folder(host.disk(), folder),
                settings,
                LogCheckpoint.NONE,
                false,
                host.clock().wallMs());
        log.force();
        return new LocalQuorum(host, log);
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
    public void replay(Consumer<EventCodec.Entry> record) {
        EventRecords.replay(log.view(log.endOffset(), log.endOffset()), record);
    }

    @Override
    public long append(List<EventCodec.Entry> records) {
        long nowMs = host.clock().wallMs();
        Appended appended = log.appendAsLeader(EventRecords.batch(records, nowMs), EPOCH, Origin.COORDINATOR, nowMs);
        if (appended instanceof Appended.Refused refused) {
            throw new IllegalStateException("the metadata log refused its own events: " + refused.message());
        }
        return log.endOffset();
    }

    @Override
    public void onProgress(Listener toTell) {
        listener = toTell;
    }

    @Override
    public void batchEnd() {
        if (log.endOffset() > committedUpTo) {
            log.force();
            committedUpTo = log.endOffset();
        }
        listener.committed(committedUpTo);
    }

    @Override
    public void close() {
        log.close(true);
    }
}
