package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.kernel.Disk;
import io.millrace.kernel.real.RealHost;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same log on the file system of this machine. */
class RealDiskTest {
    private static final long NOW_MS = 1_700_000_000_000L;
    private static final LogSettings SETTINGS =
            LogSettings.DEFAULTS.withSegments(new LogSettings.Segments(20_000, 3_600_000, 500, 1 << 20));

    @TempDir
    Path data;

    private final RealHost host = new RealHost(1);
    private final Disk disk = host.host().disk();

    @AfterEach
    void close() {
        host.close();
    }

    private PartitionLog open(LogSettings settings, LogCheckpoint written, boolean clean) {
        return PartitionLog.open(
                BareFolder.of(disk, data.resolve("t-0")),
                settings,
                written,
                clean ? LastStop.CLEAN : LastStop.KILLED,
                NOW_MS);
    }

    private static void append(PartitionLog log, int from, int to) {
        for (int i = from; i < to; i++) {
            ByteBuffer batch = new BatchBuilder()
                    .add(NOW_MS, LogFixture.bytes("key-" + i % 50), LogFixture.bytes("value-" + i))
                    .producer(1, (short) 0, i)
                    .build();
            LogFixture.accepted(log.appendAsLeader(batch, EPOCH, Origin.CLIENT, NOW_MS));
        }
    }

    private static List<LogFixture.ReadRecord> read(PartitionLog log) {
        return LogFixture.readFrom(0, 5000, log.view(log.endOffset(), log.endOffset()));
    }

    @Test
    void a_log_is_found_again_after_a_clean_stop_and_after_none() {
        PartitionLog log = open(SETTINGS, LogCheckpoint.NONE, false);
        append(log, 0, 1000);
        log.close(true);

        PartitionLog reopened = open(SETTINGS, log.lastCheckpoint(), true);
        assertThat(read(reopened)).hasSize(1000);
        append(reopened, 1000, 1500);
        reopened.close(false);

        PartitionLog recovered = open(SETTINGS, log.lastCheckpoint(), false);
        assertThat(recovered.recoveryPoint()).isEqualTo(1000);
        assertThat(read(recovered)).hasSize(1500);
        append(recovered, 1500, 1600);
        recovered.close(true);
    }

    @Test
    void a_torn_tail_is_cut() throws IOException {
        PartitionLog log = open(SETTINGS, LogCheckpoint.NONE, false);
        append(log, 0, 10);
        log.close(false);
        Path file = data.resolve("t-0").resolve("00000000000000000000.log");
        Files.write(file, new byte[37], StandardOpenOption.APPEND);

        PartitionLog recovered = open(SETTINGS, LogCheckpoint.NONE, false);

        assertThat(read(recovered)).hasSize(10);
        assertThat(Files.size(file)).isEqualTo(recovered.sizeBytes());
        recovered.close(true);
    }

    @Test
    void readers_on_other_threads_see_whole_batches_while_the_log_grows_rolls_and_is_compacted()
            throws InterruptedException, ExecutionException {
        LogSettings compacting =
                SETTINGS.withCompaction(new LogSettings.Compaction(true, 0.1, 1000, 0, Long.MAX_VALUE));
        PartitionLog log = open(compacting, LogCheckpoint.NONE, false);
        Published published = new Published(log.view(0, 0));
        ExecutorService threads = Executors.newFixedThreadPool(2);
        List<Future<Long>> readers = Stream.generate(() -> threads.submit(() -> readAll(published)))
                .limit(2)
                .toList();

        for (int i = 0; i < 10_000; i += 100) {
            append(log, i, i + 100);
            if (i % 1000 == 0) {
                log.checkpoint();
                log.compact(NOW_MS, log.endOffset(), 1 << 20);
            }
            published.view = log.view(log.endOffset(), log.endOffset());
        }
        published.done = true;

        for (Future<Long> reader : readers) {
            assertThat(reader.get()).isEqualTo(10_000);
        }
        threads.shutdown();
        log.close(true);
        try (Stream<Path> files = disk.list(data.resolve("t-0")).stream()) {
            assertThat(files.filter(path -> path.toString().endsWith(".log")).count())
                    .isPositive();
        }
    }

    private static final class Published {
        private volatile ReadView view;
        private volatile boolean done;

        private Published(ReadView view) {
            this.view = view;
        }
    }

    private static long readAll(Published published) {
        long next = 0;
        while (true) {
            boolean last = published.done;
            ReadView view = published.view;
            Slice slice = view.read(next, 3000, view.endOffset(), true);
            if (slice.isEmpty() && last) {
                return next;
            }
            if (slice.isEmpty()) {
                Thread.onSpinWait();
                continue;
            }
            for (RecordBatch batch : new RecordBatches(LogFixture.bytesOf(slice))) {
                assertThat(batch.checksumOk()).isTrue();
                assertThat(batch.lastOffset()).isGreaterThanOrEqualTo(next);
                next = batch.lastOffset() + 1;
            }
        }
    }
}
