package io.millrace.kernel.real;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks the system which parts of a file it has in memory. The file is mapped for the question only (mincore); no byte is
 * ever read through the mapping, so a file that gets shorter does no harm.
 */
final class PageCache {
    /** What was written this far from the end of a growing file is taken to be in memory, which saves mapping it again and again. */
    private static final long RECENT_BYTES = 64 << 20;

    /** All but the last one may still be in use by those who asked earlier. */
    private final List<MappedByteBuffer> mappings = new ArrayList<>();

    private volatile MappedByteBuffer mapping;

    /** To be called by holders of the file only. */
    boolean holds(FileChannel channel, long position, int sizeBytes) throws IOException {
        MappedByteBuffer known = mapping;
        long end = position + sizeBytes;
        if (known == null || end > known.capacity()) {
            known = map(channel, end);
        }
        return known == null || known.slice((int) position, sizeBytes).isLoaded();
    }

    /** Null where the range is not worth a mapping. */
    private synchronized MappedByteBuffer map(FileChannel channel, long end) throws IOException {
        long size = Math.min(channel.size(), Integer.MAX_VALUE);
        long mapped = mapping == null ? 0 : mapping.capacity();
        if (end > mapped && end <= size && size - mapped >= RECENT_BYTES) {
            mapping = channel.map(MapMode.READ_ONLY, 0, size);
            mappings.add(mapping);
        }
        return mapping != null && end <= mapping.capacity() ? mapping : null;
    }

    /** When nobody holds the file any more. */
    synchronized void close() {
        mapping = null;
        mappings.forEach(Unmapping::unmap);
        mappings.clear();
    }
}
