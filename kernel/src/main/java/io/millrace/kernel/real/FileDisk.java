package io.millrace.kernel.real;

import io.millrace.kernel.Disk;
import io.millrace.kernel.DiskException;
import io.millrace.kernel.DiskException.Kind;
import io.millrace.kernel.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** The file system of this machine. */
public final class FileDisk implements Disk {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    @Override
    public DiskFile open(Path path) {
        return attempt("open", path, () -> new ChannelFile(path, channel(path)));
    }

    private static FileChannel channel(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    }

    @Override
    public boolean exists(Path path) {
        return path.toFile().exists(); // Files.exists makes an exception for each file that is not there
    }

    @Override
    public List<Path> list(Path folder) {
        return attempt("list", folder, () -> {
            try (Stream<Path> entries = Files.list(folder)) {
                return entries.sorted().toList();
            } catch (NoSuchFileException none) {
                return List.of();
            }
        });
    }

    @Override
    public void createFolders(Path folder) {
        attempt("create folder", folder, () -> Files.createDirectories(folder));
    }

    @Override
    public void rename(Path from, Path to) {
        attempt("rename to " + to + " from", from, () -> {
            try {
                Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } catch (AtomicMoveNotSupportedException e) {
                throw new IOException("the file system cannot rename in one step", e);
            }
            return null;
        });
        forceFolder(to.getParent());
    }

    @Override
    public void delete(Path path) {
        attempt("delete", path, () -> {
            if (Files.isDirectory(path)) {
                deleteTree(path);
            } else {
                Files.deleteIfExists(path);
            }
            return null;
        });
    }

    private static void deleteTree(Path root) throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.deleteIfExists(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    @Override
    public void forceFolder(Path folder) {
        attempt("force folder", folder, () -> {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
            return null;
        });
    }

    @Override
    public byte[] readFully(Path file) {
        return attempt("read", file, () -> Files.readAllBytes(file));
    }

    @Override
    public void replace(Path file, byte[] content) {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        attempt("write", temporary, () -> {
            try (FileChannel channel = channel(temporary)) {
                channel.truncate(0);
                ByteBuffer bytes = ByteBuffer.wrap(content);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            return null;
        });
        rename(temporary, file);
    }

    @Override
    public String uptimeName() {
        try {
            return Files.readString(BOOT_ID).strip();
        } catch (IOException unknown) {
            return "unknown " + UUID.randomUUID(); // so that nobody counts on anything
        }
    }

    @Override
    public AutoCloseable lock(Path file) {
        return attempt("lock", file, () -> {
            FileChannel channel = channel(file);
            FileLock lock;
            try {
                lock = channel.tryLock();
            } catch (OverlappingFileLockException e) {
                lock = null;
            }
            if (lock == null) {
                channel.close();
                throw new DiskException(Kind.LOCKED, "lock", file, "another process holds it");
            }
            return channel;
        });
    }

    static <T> T attempt(String action, Path path, IoAction<T> work) {
        try {
            return work.run();
        } catch (IOException e) {
            throw new DiskException(kind(e), action, path, e);
        }
    }

    private static Kind kind(IOException e) {
        if (e instanceof NoSuchFileException) {
            return Kind.MISSING;
        }
        String message = String.valueOf(e.getMessage());
        boolean full = message.contains("No space left") || message.contains("Disk quota exceeded");
        return full ? Kind.FULL : Kind.BROKEN;
    }

    /** Work that may fail as files do. */
    interface IoAction<T> {
        T run() throws IOException;
    }
}
