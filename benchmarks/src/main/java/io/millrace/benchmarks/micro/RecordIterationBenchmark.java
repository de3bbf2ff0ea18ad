package io.millrace.benchmarks.micro;

import io.millrace.broker.log.RecordBatch;
import io.millrace.broker.log.RecordReader;
import java.nio.ByteBuffer;
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

/** Walking over records, as compaction and coordinators do when they load; time is for one record. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class RecordIterationBenchmark {
    private static final int RECORDS = 1000;

    private final ByteBuffer batch = Batches.batch(RECORDS, 1, 0);
    private final RecordBatch window = new RecordBatch();

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long iterate() {
        RecordReader reader = new RecordReader(window.at(batch, 0));
        long sum = 0;
        while (reader.next()) {
            sum += reader.offset();
        }
        return sum;
    }

    @Benchmark
    public boolean checksumOfThousand() {
        return window.at(batch, 0).checksumOk();
    }
}
