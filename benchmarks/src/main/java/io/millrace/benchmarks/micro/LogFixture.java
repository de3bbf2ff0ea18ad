package io.millrace.benchmarks.micro;

import io.millrace.broker.log.LastStop;
import io.millrace.broker.log.LogCheckpoint;
import io.millrace.broker.log.LogFolder;
import io.millrace.broker.log.LogSettings;
import io.millrace.broker.log.PartitionLog;
import io.millrace.kernel.Disk;
import io.millrace.kernel.real.RealHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A log on the real disk, for one trial. */
final class LogFixture implements AutoCloseable {
    private final RealHost host = new RealHost(1);
    final PartitionLog log;
    private final Path folder;

    LogFixture() {
        try {
            folder = Files.createTempDirectory("millrace-micro");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Disk disk = host.host().disk();
        Path topic = folder.resolve("topic-0");
        log = PartitionLog.open(
                LogFolder.unmade(disk, topic, new Bare(disk, topic)),
                LogSettings.DEFAULTS,
                LogCheckpoint.NONE,
                LastStop.KILLED,
                Batches.NOW_MS);
    }

    @Override
    public void close() {
        log.close(true);
        host.host().disk().delete(folder);
        host.close();
    }

    /** A folder with nothing in it but the log. */
    private record Bare(Disk disk, Path topic) implements LogFolder.Maker {
        @Override
        public void make() {
            disk.createFolders(topic);
        }

        @Override
        public void force() {
            disk.forceFolder(topic.getParent());
        }
    }
}
