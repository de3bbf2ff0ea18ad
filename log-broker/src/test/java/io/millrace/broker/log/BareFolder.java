package io.millrace.broker.log;

import io.millrace.kernel.Disk;
import java.nio.file.Path;

/** A log's folder with nothing in it but the log. */
public record BareFolder(Disk disk, Path path) implements LogFolder.Maker {

    public static LogFolder of(Disk disk, Path path) {
        BareFolder maker = new BareFolder(disk, path);
        return disk.exists(path) ? LogFolder.existing(disk, path, maker) : LogFolder.unmade(disk, path, maker);
    }

    @Override
    public void make() {
        disk.createFolders(path);
    }

    @Override
    public void force() {
        disk.forceFolder(path.getParent());
    }
}
