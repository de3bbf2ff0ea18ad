package io.millrace.broker.api;

import io.millrace.kernel.Connection.FileRange;
import io.millrace.kernel.DiskException;
import io.millrace.kernel.Host;
import io.millrace.kernel.Loop;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Threads that wait for the disk in place of the I/O threads: what a fetch is about to send from the page cache is brought
 * into it first. So a reader that catches up holds up nobody but others like it. Each connection has only what it asked
 * for under way, which bounds the work that waits here.
 */
public final class ColdReads implements AutoCloseable {
    private static final int THREADS = 2;
    private static final int QUEUE = 64;
    private static final int CHUNK_BYTES = 256 << 10;

    private final List<Reader> readers;
    private final AtomicInteger next = new AtomicInteger();

    public ColdReads(Host host) {
        readers = IntStream.range(0, THREADS)
                .mapToObj(index -> new Reader(host, "millrace-cold-read-" + index))
                .toList();
    }

    /** @param then runs on a thread of these when the ranges have been read */
    void bringIn(List<FileRange> ranges, Runnable then) {
        readers.get(Math.floorMod(next.getAndIncrement(), readers.size())).loop.submit(new Work(ranges, then));
    }

    @Override
    public void close() {
        readers.forEach(reader -> reader.loop.close());
    }

    private record Work(List<FileRange> ranges, Runnable then) {}

    private static final class Reader implements Loop.Handler<Work> {
        private final Loop<Work> loop;
        private ByteBuffer chunk;

        Reader(Host host, String name) {
            loop = host.loops().start(name, QUEUE, this);
        }

        @Override
        public void handle(Work work) {
            if (chunk == null) {
                chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
            }
            work.ranges.forEach(this::read);
            work.then.run();
        }

        private void read(FileRange range) {
            try {
                for (int done = 0; done < range.sizeBytes(); done += CHUNK_BYTES) {
                    chunk.clear().limit(Math.min(CHUNK_BYTES, range.sizeBytes() - done));
                    range.file().read(range.position() + done, chunk);
                }
            } catch (DiskException e) {
                // whoever sends the range will meet the same trouble, and deal with it
            }
        }
    }
}
