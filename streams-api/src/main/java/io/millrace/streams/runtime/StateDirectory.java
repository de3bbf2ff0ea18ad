package io.millrace.streams.runtime;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * A job's folder on this machine, held by one process at a time. Besides the states it keeps the identity of the
 * process' workers: one that comes back after a crash takes its predecessor's place in the group at once, instead of
 * waiting until the group has missed it.
 */
final class StateDirectory implements AutoCloseable {
    private final Path dir;
    private final FileChannel lockFile;
    private final String instance;

    private StateDirectory(Path dir, FileChannel lockFile, String instance) {
        this.dir = dir;
        this.lockFile = lockFile;
        this.instance = instance;
    }

    static StateDirectory open(Path dir) {
        try {
            Files.createDirectories(dir);
            FileChannel lockFile =
                    FileChannel.open(dir.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!locked(lockFile)) {
                lockFile.close();
                throw new JobStoppedException(
                        "the state directory %s is in use by another process; stop that one, or give this one a directory of its own with --state DIR"
                                .formatted(dir.toAbsolutePath()));
            }
            return new StateDirectory(dir, lockFile, instance(dir.resolve("instance")));
        } catch (IOException e) {
            throw new JobStoppedException(
                    "cannot use the state directory %s: %s".formatted(dir.toAbsolutePath(), e.getMessage()), e);
        }
    }

    private static boolean locked(FileChannel file) throws IOException {
        try {
            FileLock lock = file.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false; // held by this very process
        }
    }

    /** Written beside and moved, so that a crash leaves either no identity or a whole one. */
    private static String instance(Path file) throws IOException {
        if (!Files.exists(file)) {
            Path beside = file.resolveSibling("instance.new");
            Files.writeString(beside, UUID.randomUUID().toString());
            Files.move(beside, file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
        }
        return Files.readString(file).strip();
    }

    /** Static identity of a worker in its group. */
    String instanceId(String worker) {
        return instance + "-" + worker;
    }

    Path task(String topic, int partition) {
        return dir.resolve("tasks").resolve(topic + "-" + partition);
    }

    Path libraries() {
        return dir.resolve("native").toAbsolutePath();
    }

    @Override
    public void close() {
        try {
            lockFile.close();
        } catch (IOException e) {
            throw new JobStoppedException("cannot release the state directory %s".formatted(dir), e);
        }
    }
}
