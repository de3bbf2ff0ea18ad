package io.millrace.benchmarks.micro;

import io.millrace.broker.log.Origin;
import io.millrace.broker.log.ReadView;
import io.millrace.broker.log.Slice;
import io.millrace.broker.wire.FetchedRecords;
import io.millrace.broker.wire.Protocol;
import io.millrace.kernel.Connection.FileRange;
import io.millrace.kernel.Connection.Part;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Finding an offset by the index, and writing the answer that sends what is there. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class FetchBenchmark {
    private static final int BATCHES = 5000;
    private static final int RECORDS = 100;
    private static final int MAX_BYTES = 1 << 20;
    private static final short VERSION = ApiKeys.FETCH.latestVersion();

    private final Random random = new Random(1);
    private final Protocol protocol = new Protocol(Set.of(ApiKeys.FETCH.id));
    private LogFixture fixture;
    private ReadView view;

    @Setup
    public void fill() {
        fixture = new LogFixture();
        for (ByteBuffer batch : Batches.consecutive(BATCHES, RECORDS, 1)) {
            fixture.log.appendAsLeader(batch, 0, Origin.CLIENT, Batches.NOW_MS);
        }
        view = fixture.log.view(fixture.log.endOffset(), fixture.log.endOffset());
    }

    @Benchmark
    public int lookUp() {
        Slice slice = read();
        slice.release();
        return slice.sizeBytes();
    }

    @Benchmark
    public int encode() {
        Slice slice = read();
        PartitionData data = new PartitionData().setPartitionIndex(0).setHighWatermark(view.highWatermark());
        FetchedRecords.put(data, List.of(new FileRange(slice.file(), slice.position(), slice.sizeBytes())));
        FetchResponseData answer = new FetchResponseData()
                .setResponses(List.of(
                        new FetchableTopicResponse().setTopicId(Uuid.ONE_UUID).setPartitions(List.of(data))));
        List<Part> parts = protocol.encode(ApiKeys.FETCH.id, VERSION, 1, answer);
        parts.forEach(Part::release);
        return parts.size();
    }

    private Slice read() {
        return view.read(random.nextInt(BATCHES * RECORDS), MAX_BYTES, view.endOffset(), true);
    }

    @TearDown
    public void close() {
        fixture.close();
    }
}
