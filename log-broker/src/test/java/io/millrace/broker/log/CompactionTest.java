package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.wire.CompressedBatches;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompactionTest {
    private static final long DELETE_RETENTION_MS = 10_000;

    private final LogFixture fixture = new LogFixture();

    @BeforeEach
    void keep_the_last_of_each_key() {
        fixture.settings(fixture.settings
                .withCompaction(new LogSettings.Compaction(true, 0.01, DELETE_RETENTION_MS, 0, Long.MAX_VALUE))
                .withRetention(new LogSettings.Retention(false, -1, -1, 60_000)));
    }

    private void put(String key, String value) {
        fixture.send(new BatchBuilder()
                .add(fixture.nowMs, bytes(key), value == null ? null : bytes(value))
                .build());
    }

    /** Rolls, so that all that is there may be compacted, and compacts in small steps. */
    private void compact() {
        fixture.nowMs += fixture.settings.segments().maxAgeMs();
        fixture.log.rollIfDue(fixture.nowMs);
        fixture.checkpoint();
        while (fixture.log.compact(fixture.nowMs, fixture.log.endOffset(), 500)) {
            // goes on
        }
        assertThat(fixture.log.compaction().failure()).isEmpty();
    }

    /** Every record as key=value, null values as such. */
    private List<String> records() {
        return records(fixture.view());
    }

    private static List<String> records(ReadView view) {
        List<String> found = new ArrayList<>();
        long next = view.startOffset();
        for (Slice slice = view.read(next, 1 << 20, view.endOffset(), true);
                !slice.isEmpty();
                slice = view.read(next, 1 << 20, view.endOffset(), true)) {
            for (RecordBatch batch : new RecordBatches(LogFixture.bytesOf(slice))) {
                assertThat(batch.checksumOk()).isTrue();
                next = batch.lastOffset() + 1;
                RecordReader records = new RecordReader(batch);
                while (!batch.control() && records.next()) {
                    found.add(text(records.key()) + "=" + text(records.value()));
                }
            }
        }
        assertThat(next).as("the position reaches the end").isEqualTo(view.endOffset());
        return found;
    }

    private static String text(ByteBuffer bytes) {
        return bytes == null
                ? null
                : StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }

    @Test
    void keeps_the_last_record_of_each_key_at_its_offset() {
        IntStream.range(0, 500).forEach(i -> put("key-" + i % 10, "value-" + i));
        long sizeBefore = fixture.log.sizeBytes();

        compact();

        assertThat(records())
                .containsExactlyElementsOf(IntStream.range(490, 500)
                        .mapToObj(i -> "key-" + i % 10 + "=value-" + i)
                        .toList());
        assertThat(fixture.valuesFrom(495))
                .containsExactly("value-495", "value-496", "value-497", "value-498", "value-499");
        assertThat(fixture.log.sizeBytes()).isLessThan(sizeBefore / 5);
        assertThat(fixture.log.endOffset()).isEqualTo(500);
    }

    @Test
    void a_reader_with_an_older_view_goes_on_until_the_files_are_deleted() {
        IntStream.range(0, 200).forEach(i -> put("key", "value-" + i));
        ReadView before = fixture.view();

        compact();

        assertThat(records(before)).hasSize(200);
        fixture.log.deleteFilesDue(fixture.nowMs + 60_000);
        assertThat(fixture.fileNames()).noneMatch(name -> name.endsWith(".deleted"));
    }

    @Test
    void a_tombstone_goes_when_its_readers_have_had_time() {
        put("gone", "value");
        put("kept", "value");
        put("gone", null);
        put("filler", "1");
        compact();
        assertThat(records()).containsExactly("kept=value", "gone=null", "filler=1");

        put("filler", "2");
        compact();
        put("filler", "3");
        compact();

        assertThat(records()).containsExactly("kept=value", "filler=3");
    }

    @Test
    void records_of_aborted_transactions_go_and_those_of_committed_ones_stay() {
        fixture.appendInTransaction(1, 0, 0, "a", "b");
        fixture.appendInTransaction(2, 0, 0, "c", "d");
        fixture.abort(1, 0);
        fixture.commit(2, 0);
        fixture.appendInTransaction(1, 0, 2, "e");
        fixture.commit(1, 0);
        fixture.append("f");

        for (int round = 0; round < 4; round++) {
            compact();

            assertThat(fixture.values()).contains("c", "d", "e", "f").doesNotContain("a", "b");
            assertThat(fixture.view().aborted(0, fixture.log.endOffset()))
                    .as("never hides the producer's later records without a marker to end it")
                    .hasSizeLessThanOrEqualTo(markers(1, false));
            fixture.append("round-" + round);
            fixture.nowMs += DELETE_RETENTION_MS;
        }
        assertThat(markers(1, false))
                .as("abort markers once they are of no use")
                .isZero();
        assertThat(markers(2, true))
                .as("commit markers of records that are there")
                .isEqualTo(1);
        assertThat(fixture.view().aborted(0, fixture.log.endOffset())).isEmpty();
        fixture.kill();
        assertThat(fixture.log.firstUnstableOffset(fixture.log.endOffset())).isEqualTo(Long.MAX_VALUE);
    }

    private int markers(long producer, boolean commit) {
        int count = 0;
        ReadView view = fixture.view();
        long next = 0;
        for (Slice slice = view.read(next, 1 << 20, view.endOffset(), true);
                !slice.isEmpty();
                slice = view.read(next, 1 << 20, view.endOffset(), true)) {
            for (RecordBatch batch : new RecordBatches(LogFixture.bytesOf(slice))) {
                next = batch.lastOffset() + 1;
                boolean counts = batch.control()
                        && batch.producerId() == producer
                        && TransactionMarker.of(batch).orElseThrow().commit() == commit;
                count += counts ? 1 : 0;
            }
        }
        return count;
    }

    @Test
    void nothing_at_or_behind_an_open_transaction_is_touched() {
        IntStream.range(0, 100).forEach(i -> put("key", "before-" + i));
        compact();
        fixture.appendInTransaction(1, 0, 0, "open");
        IntStream.range(0, 100).forEach(i -> put("key", "behind-" + i));

        compact();

        assertThat(records()).hasSize(102);
    }

    @Test
    void a_crash_at_any_moment_of_a_compaction_loses_nothing() {
        Random random = new Random(4);
        for (int round = 0; round < 200; round++) {
            IntStream.range(0, 20).forEach(i -> put("key-" + random.nextInt(30), "value-" + random.nextInt()));
            fixture.nowMs += fixture.settings.segments().maxAgeMs();
            fixture.log.rollIfDue(fixture.nowMs);
            fixture.checkpoint();
            Map<String, String> expected = latest(records());
            int steps = random.nextInt(12);
            for (int i = 0; i < steps; i++) {
                fixture.log.compact(fixture.nowMs, fixture.log.endOffset(), 1000);
            }

            if (random.nextBoolean()) {
                fixture.kill();
            } else {
                fixture.cutPower();
            }

            assertThat(latest(records())).isEqualTo(expected);
        }
        compact();
        assertThat(records()).hasSizeLessThanOrEqualTo(31);
    }

    private static Map<String, String> latest(List<String> records) {
        Map<String, String> latest = new LinkedHashMap<>();
        for (String record : records) {
            String[] parts = record.split("=", 2);
            latest.put(parts[0], parts[1]);
        }
        return latest;
    }

    @Test
    void what_a_crash_left_half_swapped_is_finished_at_the_next_start() {
        IntStream.range(0, 300).forEach(i -> put("key-" + i % 7, "value-" + i));
        compact();
        List<String> expected = records();
        fixture.disk.killOwner();
        List<String> finals = List.of(".index", ".timeindex", ".txnindex", ".log");
        for (int renamed = 0; renamed < finals.size(); renamed++) {
            for (int i = renamed; i < finals.size(); i++) {
                fixture.disk.rename(fixture.file(0, finals.get(i)), fixture.file(0, finals.get(i) + LogFolder.SWAP));
            }
            fixture.disk.replace(fixture.file(3, ".log"), new byte[0]);

            fixture.open(false);

            assertThat(records()).isEqualTo(expected);
            fixture.disk.killOwner();
        }
    }

    @Test
    void an_error_does_not_switch_compaction_off() {
        IntStream.range(0, 300).forEach(i -> put("key", "value-" + i));
        fixture.checkpoint();
        fixture.disk.broken(true);

        assertThat(fixture.log.compact(fixture.nowMs, 300, 1 << 20)).isFalse();

        fixture.disk.broken(false);
        CompactionState state = fixture.log.compaction();
        assertThat(state.failure()).isPresent();
        assertThat(state.retryAtMs()).isGreaterThan(fixture.nowMs);
        assertThat(fixture.log.compact(fixture.nowMs, 300, 1 << 20)).as("waits").isFalse();
        fixture.nowMs = state.retryAtMs();
        compact();
        assertThat(records()).containsExactly("key=value-299");
    }

    @Test
    void a_batch_that_is_damaged_is_kept_and_reported() {
        IntStream.range(0, 300).forEach(i -> put("key", "value-" + i));
        fixture.checkpoint();
        fixture.log.close(true);
        fixture.disk.killOwner();
        fixture.disk.damage(fixture.file(0, ".log"), bytes -> {
            bytes[70] ^= 1;
            return bytes;
        });
        fixture.open(true);

        fixture.log.compact(fixture.nowMs, 300, 1 << 20);

        assertThat(fixture.log.compaction().failure().orElseThrow())
                .contains("checksum")
                .contains("offsets 0 to 0");
        assertThat(fixture.fileNames()).noneMatch(name -> name.endsWith(".cleaned"));
        assertThat(fixture.log.endOffset()).isEqualTo(300);
    }

    @Test
    void the_last_batch_of_a_producer_stays_as_a_header() {
        fixture.send(new BatchBuilder()
                .add(fixture.nowMs, bytes("key"), bytes("old"))
                .producer(LogFixture.PRODUCER, (short) 0, 0)
                .build());
        put("key", "new");
        compact();

        fixture.disk.list(LogFixture.FOLDER).stream()
                .filter(path -> path.toString().endsWith(".snapshot"))
                .forEach(fixture.disk::delete);
        fixture.kill();

        assertThat(records()).containsExactly("key=new");
        assertThat(fixture.log.producer(LogFixture.PRODUCER).orElseThrow().lastSequence())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void compressed_batches_are_compacted_too(int compression) {
        for (int i = 0; i < 100; i++) {
            BatchBuilder batch = new BatchBuilder();
            for (int j = 0; j < 5; j++) {
                batch.add(fixture.nowMs + j, bytes("key-" + (i + j) % 20), bytes("value-" + i + "-" + j));
            }
            LogFixture.accepted(fixture.send(compressed(batch.build(), compression)));
        }
        Map<String, String> expected = latest(records());

        compact();

        assertThat(records()).hasSize(20);
        assertThat(latest(records())).isEqualTo(expected);
    }

    private static ByteBuffer compressed(ByteBuffer batch, int compression) {
        ByteBuffer payload = CompressedBatches.compress(
                compression, new RecordBatch().at(batch, 0).payload());
        ByteBuffer result = ByteBuffer.allocate(RecordBatch.OVERHEAD + payload.remaining())
                .put(batch.slice(0, RecordBatch.OVERHEAD))
                .put(payload)
                .flip();
        result.putShort(RecordBatch.ATTRIBUTES_AT, (short) compression);
        new RecordBatch().at(result, 0).seal(result.limit());
        return result;
    }

    @Test
    void a_record_without_a_key_is_refused() {
        Appended appended = fixture.send(new BatchBuilder()
                .add(fixture.nowMs, (byte[]) null, bytes("value"))
                .build());

        assertThat(LogFixture.refusal(appended)).isEqualTo(Refusal.INVALID_RECORD);
    }

    @Test
    void young_records_are_left_alone_and_old_ones_are_due_whatever_the_ratio() {
        fixture.settings(fixture.settings.withCompaction(
                new LogSettings.Compaction(true, 1.0, DELETE_RETENTION_MS, 5_000, 20_000)));
        IntStream.range(0, 200).forEach(i -> put("key", "value-" + i));
        fixture.checkpoint();

        assertThat(fixture.log.compact(fixture.nowMs + 4_000, 200, 1 << 20)).isFalse();
        assertThat(records()).hasSize(200);
        fixture.log.compact(fixture.nowMs + 6_000, 200, 1 << 20);
        int left = records().size();
        assertThat(left).isLessThan(200);
        IntStream.range(0, 200).forEach(i -> put("key", "again-" + i));
        fixture.checkpoint();
        fixture.log.compact(fixture.nowMs + 6_000, 400, 1 << 20);
        assertThat(records()).as("not dirty enough").hasSize(left + 200);
        fixture.log.compact(fixture.nowMs + 21_000, 400, 1 << 20);
        assertThat(records()).as("old enough").hasSizeLessThan(200);
    }

    @Test
    void failing_writes_leave_the_old_segments_in_place() {
        IntStream.range(0, 300).forEach(i -> put("key-" + i, "value"));
        fixture.checkpoint();
        fixture.disk.capacity(1);

        assertThat(fixture.log.compact(fixture.nowMs, 300, 1 << 20)).isFalse();

        fixture.disk.capacity(Long.MAX_VALUE);
        assertThat(fixture.log.compaction().failure().orElseThrow()).contains("No space");
        assertThat(records()).hasSize(300);
    }
}
