package io.millrace.kernel.sim;

import io.millrace.kernel.DiskFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;

/** A file in memory that remembers which of its content has been forced. */
final class SimFile implements DiskFile {
    private final Path path;
    private SimDisk disk;
    private byte[] bytes = new byte[0];
    private int size;
    private byte[] forced = new byte[0];
    private int forcedSize;

    /** Up to where both contents are the same for sure. */
    private int sameUpTo;

    private int holders;

    SimFile(SimDisk disk, Path path) {
        this.disk = disk;
        this.path = path;
    }

    SimFile opened() {
        holders++;
        return this;
    }

    int holders() {
        return holders;
    }

    byte[] content() {
        return Arrays.copyOf(bytes, size);
    }

    void overwrite(byte[] content) {
        bytes = content.clone();
        size = content.length;
        forced = content.clone();
        forcedSize = size;
        sameUpTo = size;
    }

    SimFile forcedCopy(Path at) {
        SimFile copy = new SimFile(disk, at);
        copy.overwrite(Arrays.copyOf(forced, forcedSize));
        return copy;
    }

    /** What may be found after a power cut: what was forced, and perhaps a part of what was written behind it. */
    SimFile tornCopy(Path at, SplittableRandom chance) {
        int same = Arrays.mismatch(forced, 0, forcedSize, bytes, 0, size);
        int kept = same < 0 ? size : same;
        boolean tail = kept < size && chance.nextBoolean();
        if (!tail) {
            return forcedCopy(at);
        }
        int end = chance.nextInt(kept, size + 1);
        byte[] torn = Arrays.copyOf(bytes, end);
        if (end > kept && chance.nextInt(3) == 0) {
            int damaged = chance.nextInt(kept, end);
            if (chance.nextBoolean()) {
                torn[damaged] ^= (byte) (1 << chance.nextInt(Byte.SIZE));
            } else {
                Arrays.fill(torn, damaged, end, (byte) 0); // the length was written, the content was not
            }
        }
        SimFile copy = new SimFile(disk, at);
        copy.overwrite(torn);
        return copy;
    }

    SimFile copy(Path at) {
        SimFile copy = new SimFile(disk, at);
        copy.bytes = content();
        copy.size = size;
        copy.forced = Arrays.copyOf(forced, forcedSize);
        copy.forcedSize = forcedSize;
        copy.sameUpTo = sameUpTo;
        return copy;
    }

    /** Cuts the tie to the disk: handles of a dead process change nothing. */
    void detach() {
        disk = new SimDisk();
        bytes = content();
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public void write(long position, ByteBuffer from) {
        int end = Math.toIntExact(position) + from.remaining();
        disk.checkWorks("write to", path, Math.max(0, end - size));
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, bytes.length * 2));
        }
        from.get(bytes, Math.toIntExact(position), from.remaining());
        sameUpTo = Math.min(sameUpTo, Math.toIntExact(position));
        size = Math.max(size, end);
    }

    @Override
    public int read(long position, ByteBuffer into) {
        disk.checkWorks("read", path, 0);
        int count = (int) Math.max(0, Math.min(into.remaining(), size - position));
        if (count > 0) {
            into.put(bytes, Math.toIntExact(position), count);
        }
        return count;
    }

    @Override
    public boolean isInMemory(long position, int sizeBytes) {
        return !disk.isCold();
    }

    @Override
    public void truncate(long sizeBytes) {
        disk.checkWorks("truncate", path, 0);
        if (sizeBytes < size) {
            Arrays.fill(bytes, (int) sizeBytes, size, (byte) 0);
            size = (int) sizeBytes;
            sameUpTo = Math.min(sameUpTo, size);
        }
    }

    @Override
    public void force() {
        disk.checkWorks("force", path, 0);
        if (forced.length < size) {
            forced = Arrays.copyOf(forced, Math.max(size, 2 * forced.length));
        }
        System.arraycopy(bytes, sameUpTo, forced, sameUpTo, size - sameUpTo);
        forcedSize = size;
        sameUpTo = size;
    }

    @Override
    public boolean retain() {
        if (holders == 0) {
            return false;
        }
        holders++;
        return true;
    }

    @Override
    public void release() {
        holders--;
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
