package io.millrace.broker.log;

import io.millrace.kernel.Disk;
import io.millrace.kernel.DiskException;
import io.millrace.kernel.DiskFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** A disk whose user dies after some changes: that one and everything after it does not happen. */
final class DyingDisk implements Disk {
    private final Disk disk;
    private long changesLeft = Long.MAX_VALUE;

    DyingDisk(Disk disk) {
        this.disk = disk;
    }

    void dieAfter(long changes) {
        changesLeft = changes;
    }

    boolean isDead() {
        return changesLeft < 0;
    }

    private void change(Path path) {
        if (changesLeft != Long.MAX_VALUE) {
            changesLeft--;
        }
        if (changesLeft < 0) {
            throw new DiskException(DiskException.Kind.BROKEN, "change", path, "the process has died");
        }
    }

    @Override
    public DiskFile open(Path path) {
        if (!disk.exists(path)) {
            change(path);
        }
        return new DyingFile(path, disk.open(path));
    }

    @Override
    public boolean exists(Path path) {
        return disk.exists(path);
    }

    @Override
    public List<Path> list(Path folder) {
        return disk.list(folder);
    }

    @Override
    public void createFolders(Path folder) {
        disk.createFolders(folder);
    }

    @Override
    public void rename(Path from, Path to) {
        change(from);
        disk.rename(from, to);
    }

    @Override
    public void delete(Path path) {
        change(path);
        disk.delete(path);
    }

    @Override
    public void forceFolder(Path folder) {
        change(folder);
        disk.forceFolder(folder);
    }

    @Override
    public byte[] readFully(Path file) {
        return disk.readFully(file);
    }

    @Override
    public void replace(Path file, byte[] content) {
        change(file);
        disk.replace(file, content);
    }

    @Override
    public String uptimeName() {
        return disk.uptimeName();
    }

    @Override
    public AutoCloseable lock(Path file) {
        return disk.lock(file);
    }

    private final class DyingFile implements DiskFile {
        private final Path path;
        private final DiskFile file;

        DyingFile(Path path, DiskFile file) {
            this.path = path;
            this.file = file;
        }

        @Override
        public long size() {
            return file.size();
        }

        @Override
        public void write(long position, ByteBuffer bytes) {
            if (changesLeft == 0 && bytes.remaining() > 1) {
                ByteBuffer half = bytes.duplicate();
                file.write(position, half.limit(half.position() + half.remaining() / 2));
            }
            change(path);
            file.write(position, bytes);
        }

        @Override
        public int read(long position, ByteBuffer into) {
            return file.read(position, into);
        }

        @Override
        public boolean isInMemory(long position, int sizeBytes) {
            return file.isInMemory(position, sizeBytes);
        }

        @Override
        public void truncate(long sizeBytes) {
            change(path);
            file.truncate(sizeBytes);
        }

        @Override
        public void force() {
            change(path);
            file.force();
        }

        @Override
        public boolean retain() {
            return file.retain();
        }

        @Override
        public void release() {
            file.release();
        }
    }
}
