package io.millrace.broker.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes on the disk that are not what was written. */
class DamageTest {
    private static final int BATCHES = 120;
    private static final int DAMAGED = 20;

    private final LogFixture fixture = new LogFixture();
    private final List<String> values =
            IntStream.range(0, BATCHES).mapToObj(i -> "value " + i).toList();

    @BeforeEach
    void write() {
        values.forEach(fixture::append);
        assertThat(fixture.log
                        .view(BATCHES, BATCHES)
                        .read(DAMAGED, 1 << 20, BATCHES, true)
                        .upToOffset())
                .as("there are several segments")
                .isLessThan(BATCHES);
    }

    /** Flips a bit of the batch at an offset, at a place of it. */
    private void damage(LogFixture of, long offset, int at) {
        Slice slice = of.view().read(offset, 1, BATCHES, true);
        int position = slice.position() + at;
        slice.release();
        of.disk.damage(of.file(0, LogFolder.LOG), bytes -> {
            bytes[position] ^= 1;
            return bytes;
        });
    }

    @Test
    void what_this_process_has_written_needs_no_look_and_what_was_there_before_needs_one() {
        assertThat(fixture.view().read(0, 1 << 20, BATCHES, true).isKnownSound())
                .isTrue();

        fixture.restartCleanly();
        Slice before = fixture.view().read(0, 1 << 20, BATCHES, true);
        assertThat(before.isKnownSound()).isFalse();
        assertThat(before.damage()).isNull();
        assertThat(before.isKnownSound()).as("once it was read through").isTrue();
        fixture.append("new");

        assertThat(fixture.view().read(BATCHES, 1 << 20, BATCHES + 1, true).isKnownSound())
                .as("behind what was there")
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {RecordBatch.OVERHEAD + 4, RecordBatch.CRC_AT, RecordBatch.LENGTH_AT, RecordBatch.LENGTH_AT + 3, 0})
    void a_damage_is_found_wherever_it_is_in_the_batch(int at) {
        fixture.restartCleanly();
        damage(fixture, DAMAGED, at);

        Damage found = fixture.view().read(0, 1 << 20, BATCHES, true).damage();

        assertThat(found.offset()).isEqualTo(DAMAGED);
        assertThat(fixture.log.damages()).singleElement().satisfies(damage -> {
            assertThat(damage.offset()).isEqualTo(DAMAGED);
            assertThat(damage.nextOffset()).isEqualTo(DAMAGED + 1);
        });
    }

    @Test
    void the_segment_is_written_anew_from_another_copy() {
        LogFixture copy = new LogFixture();
        values.forEach(copy::append);
        fixture.restartCleanly();
        damage(fixture, DAMAGED, RecordBatch.OVERHEAD);

        SegmentRepair repair = fixture.log.beginRepair(DAMAGED);
        while (!repair.isComplete()) {
            Slice next = copy.view().read(repair.nextOffset(), 300, BATCHES, true);
            repair.add(LogFixture.bytesOf(next));
        }
        assertThat(fixture.log.completeRepair(repair, fixture.nowMs)).isTrue();

        assertThat(fixture.values()).isEqualTo(values);
        fixture.restartCleanly();
        assertThat(fixture.log.damages()).isEmpty();
        assertThat(fixture.values()).isEqualTo(values);
    }

    @Test
    void what_does_not_fit_is_not_taken_and_the_log_is_as_it_was() {
        fixture.restartCleanly();
        SegmentRepair repair = fixture.log.beginRepair(DAMAGED);
        ByteBuffer later = LogFixture.bytesOf(fixture.view().read(3, 1, BATCHES, true));
        repair.add(later.duplicate());

        assertThatThrownBy(() -> repair.add(later)).isInstanceOf(CorruptBatchException.class);
        repair.abandon();

        assertThat(fixture.log.completeRepair(repair, fixture.nowMs)).isFalse();
        assertThat(fixture.values()).isEqualTo(values);
    }

    @Test
    void a_repair_ends_when_what_it_is_about_is_cut_off() {
        fixture.restartCleanly();
        SegmentRepair repair = fixture.log.beginRepair(DAMAGED);

        fixture.log.truncateTo(DAMAGED, fixture.nowMs);

        assertThat(repair.isOver()).isTrue();
        assertThat(fixture.log.completeRepair(repair, fixture.nowMs)).isFalse();
        assertThat(fixture.values()).isEqualTo(values.subList(0, DAMAGED));
    }

    @Test
    void the_active_segment_can_be_repaired_once_it_is_checkpointed() {
        fixture.checkpoint();
        fixture.append("another one");
        assertThat(fixture.log.beginRepair(BATCHES)).isNull();

        fixture.checkpoint();

        assertThat(fixture.log.beginRepair(BATCHES).endOffset()).isEqualTo(BATCHES + 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {RecordBatch.OVERHEAD + 4, RecordBatch.LENGTH_AT, RecordBatch.LENGTH_AT + 3})
    void what_nobody_else_has_can_be_left_out(int at) {
        fixture.restartCleanly();
        damage(fixture, DAMAGED, at);

        fixture.log.leaveOutDamages(DAMAGED, fixture.nowMs);

        assertThat(fixture.log.damages()).isEmpty();
        List<String> left = new ArrayList<>(values);
        left.remove(DAMAGED);
        assertThat(fixture.values()).isEqualTo(left);
        fixture.restartCleanly();
        assertThat(fixture.values()).isEqualTo(left);
    }
}
