package io.millrace.broker.partition;

import io.millrace.kernel.Host;
import io.millrace.kernel.Loop;
import java.util.ArrayList;
import java.util.List;

/**
 * Threads that wait for the disk in place of the shards, where records are forced before they are acknowledged. While one
 * force of a partition is under way its appends go on, and the next force is for all of them: the group commit.
 */
public final class Forces implements AutoCloseable {
    /** They only wait, so there may be more of them than processors; a journaling file system commits them together. */
    private static final int THREADS = 4;

    private static final int QUEUE = 256;

    private final Host host;
    private final List<Loop<Runnable>> loops = new ArrayList<>();
    private int next;

    public Forces(Host host) {
        this.host = host;
    }

    /** Most brokers never force, so the threads start with the first work. */
    synchronized void run(Runnable force) {
        if (loops.isEmpty()) {
            for (int i = 0; i < THREADS; i++) {
                loops.add(host.loops().start("millrace-force-" + i, QUEUE, Runnable::run));
            }
        }
        loops.get(next).submit(force);
        next = (next + 1) % loops.size();
    }

    @Override
    public synchronized void close() {
        loops.forEach(Loop::close);
    }
}
