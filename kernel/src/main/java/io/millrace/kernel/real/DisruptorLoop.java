package io.millrace.kernel.real;

import com.lmax.disruptor.AlertException;
import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.SequenceBarrier;
import com.lmax.disruptor.TimeoutException;
import io.millrace.kernel.Check;
import io.millrace.kernel.Loop;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loop on a Disruptor ring that waits by blocking. A message that finds the ring full goes to an overflow queue, so
 * that loops can submit to each other without ever waiting; the sender is told and slows down at its source.
 */
final class DisruptorLoop<M> implements Loop<M> {
    private static final Logger LOG = LoggerFactory.getLogger(DisruptorLoop.class);

    /** What sysexits.h calls an internal software error. */
    private static final int EXIT_BROKEN = 70;

    private final RingBuffer<Slot<M>> ring;
    private final ConcurrentLinkedQueue<M> overflow = new ConcurrentLinkedQueue<>();
    private final AtomicLong overflowing = new AtomicLong();
    private final Sequence consumed = new Sequence();
    private final SequenceBarrier barrier;
    private final Handler<M> handler;
    private final Thread thread;
    /** Held by whoever runs the handler: the loop's thread, or one that hands a message over to an idle loop. */
    private final ReentrantLock turn = new ReentrantLock();

    private long next; // what the loop's thread handles next; changed while it holds the turn
    private boolean ended; // likewise
    private volatile boolean closing;

    private DisruptorLoop(String name, int capacity, Handler<M> handler) {
        this.handler = handler;
        ring = RingBuffer.createMultiProducer(Slot::new, Integer.highestOneBit(capacity), new BlockingWaitStrategy());
        barrier = ring.newBarrier();
        ring.addGatingSequences(consumed);
        next = consumed.get() + 1;
        thread = new Thread(this::runOrHalt, name);
        thread.setDaemon(true);
    }

    static <M> Loop<M> start(String name, int capacity, Handler<M> handler) {
        DisruptorLoop<M> loop = new DisruptorLoop<>(name, capacity, handler);
        loop.thread.start();
        return loop;
    }

    @Override
    public boolean submit(M message) {
        // Once something overflows, what comes after it must queue behind it to keep each sender's order.
        if (overflowing.get() == 0 && ring.tryPublishEvent(DisruptorLoop::fill, message)) {
            return true;
        }
        overflowing.incrementAndGet();
        overflow.add(message);
        wakeUp();
        return false;
    }

    @Override
    public boolean handOver(M message) {
        if (turn.isHeldByCurrentThread() || !turn.tryLock()) {
            return submit(message);
        }
        try {
            if (ended || next <= ring.getCursor() || overflowing.get() > 0) {
                return submit(message); // it must not overtake what its sender has submitted before
            }
            handle(message);
            batchEnd();
            return true;
        } finally {
            turn.unlock();
        }
    }

    /** An empty message for a loop that sleeps; a full ring means that it is awake. */
    private void wakeUp() {
        boolean published = ring.tryPublishEvent((slot, sequence) -> slot.message = null);
        if (!published) {
            LOG.trace("{} is awake with a full ring", thread.getName());
        }
    }

    private static <M> void fill(Slot<M> slot, long sequence, M message) {
        slot.message = message;
    }

    /** A loop that is gone would leave everybody waiting for it: better that the process is seen to be gone. */
    private void runOrHalt() {
        try {
            run();
        } catch (Error e) {
            LOG.error("{} cannot go on and stops the process", thread.getName(), e);
            Runtime.getRuntime().halt(EXIT_BROKEN);
        }
    }

    private void run() {
        while (!ended) {
            try {
                barrier.waitFor(next);
                turn.lock();
                try {
                    drainRing(next);
                    drainOverflow();
                    batchEnd();
                    ended = closing && next > ring.getCursor() && overflowing.get() == 0;
                } finally {
                    turn.unlock();
                }
            } catch (AlertException | InterruptedException | TimeoutException spurious) {
                LOG.debug("{} woke up without a message", thread.getName(), spurious);
            }
        }
    }

    /** Handles what has been published, and at least up to {@code last}, waiting for it if need be. */
    private void drainRing(long last) throws AlertException, InterruptedException, TimeoutException {
        do {
            long available = barrier.waitFor(next);
            while (next <= available) {
                Slot<M> slot = ring.get(next);
                M message = slot.message;
                slot.message = null;
                if (message != null) {
                    handle(message);
                }
                consumed.set(next++);
            }
        } while (next <= last);
    }

    /** Handles what overflowed, each message after all that its sender may have put into the ring before it. */
    private void drainOverflow() throws AlertException, InterruptedException, TimeoutException {
        while (overflowing.get() > 0) {
            M message = overflow.poll();
            if (message == null) {
                return; // counted but not queued yet; its wake-up follows
            }
            long published = ring.getCursor();
            if (next <= published) {
                drainRing(published);
            }
            handle(message);
            overflowing.decrementAndGet();
        }
    }

    private void handle(M message) {
        try {
            handler.handle(message);
        } catch (RuntimeException e) {
            survive(e);
        }
    }

    private void batchEnd() {
        try {
            handler.batchEnd();
        } catch (RuntimeException e) {
            survive(e);
        }
    }

    /** One message must not end the loop, unless it shows that the state can no longer be trusted. */
    private void survive(RuntimeException e) {
        if (e instanceof Check.BrokenInvariant) {
            LOG.error("{} found a broken invariant and stops the process", thread.getName(), e);
            Runtime.getRuntime().halt(EXIT_BROKEN);
        }
        LOG.error("{} failed to handle a message", thread.getName(), e);
    }

    @Override
    public void close() {
        if (closing) {
            return;
        }
        closing = true;
        wakeUp();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Slot<M> {
        private M message;
    }
}
