package io.millrace.broker.partition;

import io.millrace.kernel.Disk;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Under which epoch this broker was registered last, and whether its logs still have all that they had then (KIP-966):
 * after a clean stop, and after a death of the process alone, for then what it wrote is still in the page cache.
 */
final class BrokerEpochFile {
    private static final String NAME = "broker-epoch";
    private static final long NONE = -1;

    private final Disk disk;
    private final Path file;

    BrokerEpochFile(Disk disk, Path folder) {
        this.disk = disk;
        this.file = folder.resolve(NAME);
    }

    /** The last epoch if nothing can have been lost since; else -1. */
    long lastWithoutLoss(boolean stoppedCleanly) {
        if (!disk.exists(file)) {
            return NONE;
        }
        List<String> lines =
                new String(disk.readFully(file), StandardCharsets.UTF_8).lines().toList();
        boolean complete = lines.size() == 2 && (stoppedCleanly || lines.get(1).equals(disk.uptimeName()));
        return complete ? Long.parseLong(lines.get(0)) : NONE;
    }

    void write(long epoch) {
        disk.replace(file, (epoch + "\n" + disk.uptimeName() + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
