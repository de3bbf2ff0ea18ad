package io.millrace.streams.runtime;

import io.millrace.streams.sink.SinkBatch;
import io.millrace.streams.sink.SinkUnavailableException;
import io.millrace.streams.sink.SinkWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sink's writer on a thread of its own, which may wait for the database as long as it takes. Trouble with the
 * database is repeated without end until the errand is dropped, since a job that gives up needs somebody to start it
 * again, and the database will be back before that.
 */
final class SinkDesk<K, V> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SinkDesk.class);

    private final String sink;
    private final SinkWriter<K, V> writer;
    private final ExecutorService thread;
    private AtomicBoolean dropped = new AtomicBoolean();
    private volatile String note = "running";

    SinkDesk(String sink, SinkWriter<K, V> writer) {
        this.sink = sink;
        this.writer = writer;
        this.thread = Executors.newSingleThreadExecutor(task -> {
            Thread started = new Thread(task, "sink-" + sink);
            started.setDaemon(true); // a hung driver must not keep the process alive
            return started;
        });
    }

    String note() {
        return note;
    }

    Future<Map<Integer, Long>> takeOver(List<Integer> partitions) {
        return submit(() -> writer.takeOver(partitions));
    }

    Future<Integer> write(SinkBatch<K, V> batch) {
        return submit(() -> writer.write(batch));
    }

    /** The errands so far are of no use any more. One that commits all the same does no harm: it still owned its rows. */
    void drop() {
        dropped.set(true);
        dropped = new AtomicBoolean();
    }

    private <T> Future<T> submit(Supplier<T> errand) {
        AtomicBoolean droppedErrand = dropped;
        return thread.submit(() -> insist(errand, droppedErrand));
    }

    private <T> T insist(Supplier<T> errand, AtomicBoolean droppedErrand) {
        Backoff backoff = new Backoff();
        while (true) {
            if (droppedErrand.get()) {
                throw new CancellationException();
            }
            try {
                T result = errand.get();
                note = "running";
                return result;
            } catch (SinkUnavailableException e) {
                note = "waiting: " + e.getMessage();
                LOG.warn("sink {} waits: {}", sink, e.getMessage());
                backoff.pause();
            }
        }
    }

    @Override
    public void close() {
        drop();
        Future<?> unused = thread.submit(writer::close);
        thread.shutdown();
        try {
            if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
                LOG.warn("sink {}: the database still does not answer; its connection is left behind", sink);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
