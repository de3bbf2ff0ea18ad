package io.millrace.kernel.real;

import io.millrace.kernel.DiskFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** A file behind a channel; the channel closes with the last reference. */
final class ChannelFile implements DiskFile {
    private final Path path;
    private final FileChannel channel;
    private final AtomicInteger holders = new AtomicInteger(1);
    private final PageCache pageCache = new PageCache();

    ChannelFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    FileChannel channel() {
        return channel;
    }

    @Override
    public long size() {
        return FileDisk.attempt("measure", path, channel::size);
    }

    @Override
    public void write(long position, ByteBuffer bytes) {
        FileDisk.attempt("write to", path, () -> {
            long at = position;
            while (bytes.hasRemaining()) {
                at += channel.write(bytes, at);
            }
            return null;
        });
    }

    @Override
    public int read(long position, ByteBuffer into) {
        return FileDisk.attempt("read", path, () -> {
            int total = 0;
            while (into.hasRemaining()) {
                int read = channel.read(into, position + total);
                if (read < 0) {
                    break;
                }
                total += read;
            }
            return total;
        });
    }

    @Override
    public boolean isInMemory(long position, int sizeBytes) {
        return FileDisk.attempt("measure", path, () -> pageCache.holds(channel, position, sizeBytes));
    }

    @Override
    public void truncate(long sizeBytes) {
        FileDisk.attempt("truncate", path, () -> channel.truncate(sizeBytes));
    }

    @Override
    public void force() {
        FileDisk.attempt("force", path, () -> {
            channel.force(false);
            return null;
        });
    }

    @Override
    public boolean retain() {
        while (true) {
            int now = holders.get();
            if (now == 0) {
                return false;
            }
            if (holders.compareAndSet(now, now + 1)) {
                return true;
            }
        }
    }

    @Override
    public void release() {
        if (holders.decrementAndGet() == 0) {
            FileDisk.attempt("close", path, () -> {
                pageCache.close();
                channel.close();
                return null;
            });
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
