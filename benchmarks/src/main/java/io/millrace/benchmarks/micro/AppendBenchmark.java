package io.millrace.benchmarks.micro;

import io.millrace.broker.log.Appended;
import io.millrace.broker.log.Appended.Accepted;
import io.millrace.broker.log.Origin;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Check of a batch (checksum, producer, sequence), offsets, append, index: all that a shard does for one batch but waking others. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class AppendBenchmark {
    private static final int PREPARED = 2000;
    private static final long PRODUCER = 1;
    private static final long OTHERS = 1000;

    /** Records of 100 B in a batch. */
    @Param({"1", "100", "1000"})
    int records;

    /** How many other producers the log remembers. */
    @Param({"0", "10000"})
    int otherProducers;

    private LogFixture fixture;
    private List<ByteBuffer> batches;
    private int next;

    @Setup
    public void prepare() {
        fixture = new LogFixture();
        batches = Batches.consecutive(PREPARED, records, PRODUCER);
        startOver();
    }

    /** The sequences begin again, so the log must too. */
    private void startOver() {
        fixture.log.truncateFullyAndStartAt(0, Batches.NOW_MS);
        for (int i = 0; i < otherProducers; i++) {
            append(Batches.batch(1, OTHERS + i, 0));
        }
        next = 0;
    }

    @Benchmark
    public Appended append() {
        if (next == batches.size()) {
            startOver();
        }
        return append(batches.get(next++));
    }

    private Appended append(ByteBuffer batch) {
        Appended appended = fixture.log.appendAsLeader(batch.duplicate(), 0, Origin.CLIENT, Batches.NOW_MS);
        if (!(appended instanceof Accepted)) {
            throw new IllegalStateException("the log did not take a batch: " + appended);
        }
        return appended;
    }

    @TearDown
    public void close() {
        fixture.close();
    }
}
