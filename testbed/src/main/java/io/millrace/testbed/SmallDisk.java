package io.millrace.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system in memory that can be made full and gets room again. Linux, and root. */
public final class SmallDisk implements AutoCloseable {
    private static final String ROOM = "6g";
    private static final int ATTEMPTS = 50;
    private static final long LEAST_BYTES = 4096; // 0 would mean no limit

    private final Path folder;
    private boolean closed;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** Why there can be none here; empty if they can be made. */
    public static String obstacle(Path trial) {
        if (!RootCommand.isAllowed()) {
            return "only root can mount a file system";
        }
        try (SmallDisk disk = at(trial)) {
            disk.fill();
            return "";
        } catch (RuntimeException e) { // whatever the system lacks, the message says it
            return e.getMessage();
        }
    }

    /** @param folder where it is mounted; made if it is not there */
    public static SmallDisk at(Path folder) {
        folder.toFile().mkdirs();
        RootCommand.run("mount -t tmpfs -o size=%s tmpfs %s".formatted(ROOM, folder));
        SmallDisk disk = new SmallDisk(folder);
        Runtime.getRuntime().addShutdownHook(new Thread(disk::close));
        return disk;
    }

    /**
     * From now on there is no room for one more byte, but for what is left of pages that are begun. The system refuses a
     * size that is less than what is used by now, which a busy writer may have made of it meanwhile; then the next attempt
     * counts again.
     */
    public void fill() {
        for (int attempt = 1; ; attempt++) {
            try {
                RootCommand.run("mount -o remount,size=%d %s".formatted(Math.max(usedBytes(), LEAST_BYTES), folder));
                return;
            } catch (IllegalStateException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private long usedBytes() {
        try {
            FileStore store = Files.getFileStore(folder);
            return store.getTotalSpace() - store.getUnallocatedSpace();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void empty() {
        RootCommand.run("mount -o remount,size=%s %s".formatted(ROOM, folder));
    }

    /** What it held is gone. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        RootCommand.run("umount -l " + folder);
    }
}
