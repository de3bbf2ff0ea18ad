package io.millrace.kernel.real;

import io.millrace.kernel.Clock;
import io.millrace.kernel.Disk;
import io.millrace.kernel.Entropy;
import io.millrace.kernel.Host;
import io.millrace.kernel.Loops;
import java.util.concurrent.ThreadLocalRandom;

/** The seams of this machine, and the threads behind them. */
public final class RealHost implements AutoCloseable {
    private final NettyNetwork network;
    private final ThreadTimers timers;
    private final Host host;

    /** @param ioThreads threads that read and write sockets */
    public RealHost(int ioThreads) {
        network = new NettyNetwork(ioThreads);
        timers = new ThreadTimers();
        Disk disk = new FileDisk();
        Loops loops = DisruptorLoop::start;
        host = new Host(new SystemClock(), timers, loops, network, disk, new SystemEntropy());
    }

    public Host host() {
        return host;
    }

    @Override
    public void close() {
        network.close();
        timers.close();
    }

    private static final class SystemClock implements Clock {
        @Override
        public long wallMs() {
            return System.currentTimeMillis();
        }

        @Override
        public long monotonicMs() {
            return System.nanoTime() / 1_000_000;
        }
    }

    private static final class SystemEntropy implements Entropy {
        @Override
        public long nextLong() {
            return ThreadLocalRandom.current().nextLong();
        }

        @Override
        public int nextInt(int bound) {
            return ThreadLocalRandom.current().nextInt(bound);
        }
    }
}
