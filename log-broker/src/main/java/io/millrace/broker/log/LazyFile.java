package io.millrace.broker.log;

import io.millrace.kernel.Disk;
import io.millrace.kernel.DiskException;
import io.millrace.kernel.DiskFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * A file that is opened when somebody first needs it, and found wherever its owner has moved it.
 *
 * <p>Readers on other threads open it too, while the owner may rename it: a reader that came late would create an
 * empty file under the old name. Opening, moving and closing therefore exclude each other; whoever finds the file open
 * takes no lock.
 */
final class LazyFile {
    private final Disk disk;
    private final Supplier<Path> name;
    private Path path;
    private boolean closed;
    private volatile DiskFile open;

    /** @param name asked for once, when the file is first needed: most files of most logs never are */
    LazyFile(Disk disk, Supplier<Path> name) {
        this.disk = disk;
        this.name = name;
    }

    /** The open file, held for the caller, who must release it. */
    DiskFile retained() {
        while (true) {
            DiskFile file = open;
            if (file == null) {
                file = openNow();
            }
            if (file.retain()) {
                return file;
            }
            // its owner has let go of it in this moment
        }
    }

    private synchronized DiskFile openNow() {
        if (closed) {
            throw gone();
        }
        if (open == null) {
            open = disk.open(path());
        }
        return open;
    }

    private DiskException gone() {
        return new DiskException(DiskException.Kind.MISSING, "open", path(), "its log has given it up");
    }

    synchronized Path path() {
        if (path == null) {
            path = name.get();
        }
        return path;
    }

    long size() {
        DiskFile file = retained();
        try {
            return file.size();
        } finally {
            file.release();
        }
    }

    int read(long position, ByteBuffer into) {
        DiskFile file = retained();
        try {
            return file.read(position, into);
        } finally {
            file.release();
        }
    }

    void write(long position, ByteBuffer bytes) {
        DiskFile file = retained();
        try {
            file.write(position, bytes);
        } finally {
            file.release();
        }
    }

    void truncate(long sizeBytes) {
        DiskFile file = retained();
        try {
            file.truncate(sizeBytes);
        } finally {
            file.release();
        }
    }

    void force() {
        DiskFile file = retained();
        try {
            file.force();
        } finally {
            file.release();
        }
    }

    /** Nothing where retention or compaction has deleted the file meanwhile. */
    void forceUnlessGone() {
        try {
            force();
        } catch (DiskException e) {
            if (!isClosed()) {
                throw e;
            }
        }
    }

    boolean exists() {
        return open != null || disk.exists(path());
    }

    synchronized void moveTo(Path target) {
        disk.rename(path(), target);
        path = target;
    }

    /** Closes the file until somebody needs it again. */
    synchronized void rest() {
        if (open != null) {
            DiskFile resting = open;
            open = null;
            resting.release();
        }
    }

    /** Lets go of the file; who holds it may go on reading, nobody can open it again. */
    synchronized void close() {
        closed = true;
        rest();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public String toString() {
        return path().toString();
    }
}
