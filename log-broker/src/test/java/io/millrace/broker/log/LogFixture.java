package io.millrace.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.Appended.Accepted;
import io.millrace.broker.log.LogSettings.Retention;
import io.millrace.broker.log.LogSettings.Segments;
import io.millrace.kernel.sim.SimDisk;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A log on a simulated disk, and the words in which the tests speak of it. */
final class LogFixture {
    static final Path FOLDER = Path.of("/data/topic-0");
    static final int EPOCH = 7;
    static final long PRODUCER = 4711;

    final SimDisk disk = new SimDisk();
    LogSettings settings = LogSettings.DEFAULTS
            .withSegments(new Segments(4096, 3_600_000, 200, 1 << 20))
            .withRetention(new Retention(true, -1, -1, 60_000));
    LogCheckpoint written = LogCheckpoint.NONE;
    long nowMs = 1_700_000_000_000L;
    PartitionLog log = open(false);

    PartitionLog open(boolean clean) {
        return open(clean ? LastStop.CLEAN : LastStop.KILLED);
    }

    private PartitionLog open(LastStop lastStop) {
        log = PartitionLog.open(BareFolder.of(disk, FOLDER), settings, written, lastStop, nowMs);
        return log;
    }

    void settings(LogSettings changed) {
        settings = changed;
        log.updateSettings(changed);
    }

    /** A checkpoint whose result the data folder has written down. */
    void checkpoint() {
        log.checkpoint();
        written = log.lastCheckpoint();
    }

    void restartCleanly() {
        log.close(true);
        written = log.lastCheckpoint();
        disk.killOwner();
        open(true);
    }

    void kill() {
        disk.killOwner();
        open(false);
    }

    void cutPower() {
        disk.crash();
        open(LastStop.POWER_CUT);
    }

    BatchBuilder batch(String... values) {
        BatchBuilder builder = new BatchBuilder();
        for (String value : values) {
            builder.add(nowMs, bytes("key-" + value), bytes(value));
        }
        return builder;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    Appended send(ByteBuffer batches) {
        return log.appendAsLeader(batches, EPOCH, Origin.CLIENT, nowMs);
    }

    Accepted append(String... values) {
        return accepted(send(batch(values).build()));
    }

    /** Each in a batch of its own. @return the values */
    List<String> appendMany(String prefix, int count) {
        List<String> values =
                IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
        values.forEach(this::append);
        return values;
    }

    Appended send(int sequence, String... values) {
        return send(batch(values).producer(PRODUCER, (short) 0, sequence).build());
    }

    Accepted appendInTransaction(long producer, int epoch, int sequence, String... values) {
        return accepted(send(batch(values)
                .producer(producer, (short) epoch, sequence)
                .transactional()
                .build()));
    }

    Accepted commit(long producer, int epoch) {
        return end(producer, epoch, true);
    }

    Accepted abort(long producer, int epoch) {
        return end(producer, epoch, false);
    }

    private Accepted end(long producer, int epoch, boolean commit) {
        return accepted(
                log.endTransaction(new TransactionMarker(producer, (short) epoch, commit, 1, false), EPOCH, nowMs));
    }

    static Accepted accepted(Appended appended) {
        assertThat(appended).isInstanceOf(Accepted.class);
        return (Accepted) appended;
    }

    static Refusal refusal(Appended appended) {
        assertThat(appended).isInstanceOf(Appended.Refused.class);
        return ((Appended.Refused) appended).reason();
    }

    ReadView view() {
        return log.view(log.endOffset(), Math.min(log.endOffset(), log.firstUnstableOffset(log.endOffset())));
    }

    /** The values of all data records from an offset on, read as a consumer would. */
    List<String> valuesFrom(long offset) {
        List<String> values = new ArrayList<>();
        readFrom(offset, 1000, view()).forEach(record -> {
            if (!record.control()) {
                values.add(record.value());
            }
        });
        return values;
    }

    List<String> values() {
        return valuesFrom(log.startOffset());
    }

    record ReadRecord(long offset, long producerId, boolean control, boolean transactional, String value) {}

    static List<ReadRecord> readFrom(long offset, int maxBytes, ReadView view) {
        List<ReadRecord> records = new ArrayList<>();
        long next = offset;
        Slice slice = view.read(next, maxBytes, view.endOffset(), true);
        while (!slice.isEmpty()) {
            ByteBuffer bytes = bytesOf(slice);
            RecordBatches batches = new RecordBatches(bytes);
            assertThat(batches.trailingBytes()).isZero();
            for (RecordBatch batch : batches) {
                assertThat(batch.lastOffset()).isGreaterThanOrEqualTo(next);
                assertThat(batch.checksumOk()).isTrue();
                collect(batch, offset, records);
                next = batch.lastOffset() + 1;
            }
            slice = view.read(next, maxBytes, view.endOffset(), true);
        }
        assertThat(next).as("the position reaches the end").isEqualTo(Math.max(offset, view.endOffset()));
        return records;
    }

    private static void collect(RecordBatch batch, long fromOffset, List<ReadRecord> into) {
        RecordReader reader = new RecordReader(batch);
        while (reader.next()) {
            if (reader.offset() >= fromOffset) {
                String value = reader.value() == null
                        ? null
                        : StandardCharsets.UTF_8
                                .decode(reader.value().duplicate())
                                .toString();
                into.add(new ReadRecord(
                        reader.offset(), batch.producerId(), batch.control(), batch.transactional(), value));
            }
        }
    }

    static ByteBuffer bytesOf(Slice slice) {
        ByteBuffer bytes = ByteBuffer.allocate(slice.sizeBytes());
        slice.file().read(slice.position(), bytes);
        slice.release();
        assertThat(bytes.hasRemaining()).isFalse();
        return bytes.flip();
    }

    Path file(long base, String suffix) {
        return BareFolder.of(disk, FOLDER).file(base, suffix);
    }

    List<String> fileNames() {
        return disk.list(FOLDER).stream()
                .map(path -> path.getFileName().toString())
                .toList();
    }
}
