package io.millrace.benchmarks.micro;

import io.millrace.streams.state.Overlay;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A count for each record, over the intervals of a job: read, write, let the record pass, and commit; time is for one record. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class OverlayBenchmark {
    private static final int RECORDS_OF_AN_INTERVAL = 10_000;
    private static final int KEYS = 10_000;

    private final byte[][] keys = new byte[RECORDS_OF_AN_INTERVAL][];
    private final Overlay overlay = new Overlay(new NothingCommitted());

    public OverlayBenchmark() {
        Random random = new Random(7);
        for (int i = 0; i < keys.length; i++) {
            // Zipf: the rank is e to a uniform power
            int rank = (int) Math.exp(random.nextDouble() * Math.log(KEYS));
            keys[i] = ByteBuffer.allocate(Long.BYTES).putLong(rank).array();
        }
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS_OF_AN_INTERVAL)
    public int interval() {
        for (byte[] key : keys) {
            byte[] before = overlay.get(key);
            long count = before == null ? 0 : ByteBuffer.wrap(before).getLong();
            overlay.put(key, ByteBuffer.allocate(Long.BYTES).putLong(count + 1).array());
            overlay.beginRecord();
        }
        int changed = overlay.changes().size();
        overlay.committed();
        return changed;
    }

    /** What is below costs nothing here: a database is another benchmark. */
    private static final class NothingCommitted implements Overlay.Committed {
        @Override
        public byte[] get(byte[] key) {
            return null;
        }

        @Override
        public List<byte[]> keys(byte[] from, byte[] to, int limit) {
            return List.of();
        }
    }
}
