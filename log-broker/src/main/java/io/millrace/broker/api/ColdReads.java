package io.millrace.broker.api;

import io.millrace.kernel.Host;
import io.millrace.kernel.Loop;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Threads that wait for the disk in place of the I/O threads: what a fetch is about to send from the disk, and what nobody
 * has looked at since this process began, is read through first. So a reader that catches up holds up nobody but others
 * like it. Each connection has only what it asked for under way, which bounds the work that waits here.
 */
public final class ColdReads implements AutoCloseable {
    private static final int THREADS = 2;
    private static final int QUEUE = 64;

    private final List<Loop<Runnable>> loops;
    private final AtomicInteger next = new AtomicInteger();

    public ColdReads(Host host) {
        loops = IntStream.range(0, THREADS)
                .mapToObj(index -> host.loops().start("millrace-cold-read-" + index, QUEUE, Runnable::run))
                .toList();
    }

    void run(Runnable read) {
        loops.get(Math.floorMod(next.getAndIncrement(), loops.size())).submit(read);
    }

    @Override
    public void close() {
        loops.forEach(Loop::close);
    }
}
