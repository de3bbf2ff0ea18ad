package io.millrace.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of indexes that are lost, or that a power cut has left with nonsense. */
class IndexRecoveryTest {
    private final LogFixture fixture = new LogFixture();

    @Test
    void makes_lost_indexes_anew() {
        List<String> values = fixture.appendMany("a", 200);
        fixture.log.close(true);
        fixture.written = fixture.log.lastCheckpoint();
        for (boolean clean : new boolean[] {true, false}) {
            fixture.disk.killOwner();
            fixture.disk.list(LogFixture.FOLDER).stream()
                    .filter(path -> path.toString().endsWith("index"))
                    .forEach(fixture.disk::delete);

            fixture.open(clean);

            assertThat(fixture.values()).isEqualTo(values);
            assertThat(fixture.valuesFrom(57)).hasSize(143);
            assertThat(fixture.view().maxTimestamp()).isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void the_aborted_transactions_of_a_segment_that_lost_its_indexes_are_found_again(boolean clean) {
        fixture.appendInTransaction(LogFixture.PRODUCER, 0, 0, "aborted");
        fixture.appendMany("a", 150);
        fixture.abort(LogFixture.PRODUCER, 0);
        fixture.log.close(true);
        fixture.written = fixture.log.lastCheckpoint();
        fixture.fileNames().stream()
                .filter(name -> name.endsWith("index"))
                .forEach(name -> fixture.disk.delete(LogFixture.FOLDER.resolve(name)));
        fixture.disk.killOwner();

        fixture.open(clean);

        assertThat(fixture.view().aborted(0, fixture.log.endOffset()))
                .containsExactly(new Aborted(LogFixture.PRODUCER, 0));
        assertThat(fixture.values()).hasSize(151);
    }

    @Test
    void survives_nonsense_behind_the_checkpointed_part_of_the_indexes() {
        List<String> values = new ArrayList<>(fixture.appendMany("a", 20));
        fixture.checkpoint();
        fixture.disk.killOwner();
        for (String index : List.of(".index", ".timeindex")) {
            fixture.disk.damage(fixture.file(0, index), bytes -> Arrays.copyOf(bytes, bytes.length + 240));
        }

        fixture.open(false);
        values.addAll(fixture.appendMany("b", 20));

        assertThat(fixture.values()).isEqualTo(values);
        for (int from = 0; from < 40; from++) {
            assertThat(fixture.valuesFrom(from)).isEqualTo(values.subList(from, 40));
        }
    }

    /**
     * Of what an index got after the last checkpoint, a power cut may leave an entry that claims an offset from before:
     * whoever believed it would skip the records between.
     */
    @Test
    void survives_index_entries_from_behind_the_checkpoint_that_claim_to_be_from_before() {
        List<String> values = new ArrayList<>(appendEachLater("a", 20));
        fixture.appendInTransaction(LogFixture.PRODUCER, 0, 0, "aborted");
        values.add("aborted");
        fixture.checkpoint();
        fixture.abort(LogFixture.PRODUCER, 0);
        values.addAll(appendEachLater("b", 100)); // closes the segment, and so writes its indexes
        fixture.log.force();
        int before = 19;
        pretend(".index", OffsetIndex.ENTRY_BYTES, 0, before);
        pretend(".timeindex", TimeIndex.ENTRY_BYTES, Long.BYTES, before);
        byte[] aborted = fixture.disk.readFully(fixture.file(0, ".txnindex"));
        fixture.disk.replace(
                fixture.file(0, ".txnindex"),
                ByteBuffer.wrap(aborted).putLong(10, 0).putLong(18, before).array());

        fixture.cutPower();

        assertThat(fixture.values()).isEqualTo(values);
        for (int from = 0; from <= 20; from++) {
            assertThat(fixture.valuesFrom(from)).isEqualTo(values.subList(from, values.size()));
        }
        long begin = fixture.nowMs - 120;
        for (int i = 0; i < 20; i++) {
            assertThat(fixture.view().offsetForTime(begin + i).orElseThrow().offset())
                    .isEqualTo(i);
        }
        assertThat(fixture.view().aborted(0, fixture.log.endOffset()))
                .containsExactly(new Aborted(LogFixture.PRODUCER, 20));
    }

    private List<String> appendEachLater(String prefix, int count) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.addAll(fixture.appendMany(prefix + i + "-", 1));
            fixture.nowMs++;
        }
        return values;
    }

    /** Puts the second entry behind a relative offset in the place of the first, and that offset into it. */
    private void pretend(String index, int entryBytes, int offsetAt, int relativeOffset) {
        ByteBuffer entries = ByteBuffer.wrap(fixture.disk.readFully(fixture.file(0, index)));
        int entry = 0;
        while (entries.getInt(entry + offsetAt) <= relativeOffset) {
            entry += entryBytes;
        }
        entries.put(entry, entries.array(), entry + entryBytes, entryBytes).putInt(entry + offsetAt, relativeOffset);
        fixture.disk.replace(fixture.file(0, index), entries.array());
    }

    /** An entry of which the power cut has left zeros would abort every transaction of that producer from the start on. */
    @Test
    void survives_nonsense_in_the_aborted_transactions_of_a_segment_behind_the_recovery_point() {
        fixture.appendInTransaction(LogFixture.PRODUCER, 0, 0, "committed");
        fixture.commit(LogFixture.PRODUCER, 0);
        fixture.checkpoint();
        fixture.appendMany("a", 150);
        fixture.appendInTransaction(LogFixture.PRODUCER, 0, 1, "aborted");
        long marker = fixture.abort(LogFixture.PRODUCER, 0).firstOffset();
        fixture.log.force();
        String lastIndex = fixture.fileNames().stream()
                .filter(name -> name.endsWith(".log"))
                .max(Comparator.naturalOrder())
                .orElseThrow()
                .replace(".log", ".txnindex");
        byte[] torn = ByteBuffer.allocate(AbortedIndex.ENTRY_BYTES)
                .putShort((short) 0)
                .putLong(LogFixture.PRODUCER)
                .array();
        fixture.disk.replace(LogFixture.FOLDER.resolve(lastIndex), torn);

        fixture.cutPower();

        assertThat(fixture.view().aborted(0, fixture.log.endOffset()))
                .containsExactly(new Aborted(LogFixture.PRODUCER, marker - 1));
    }
}
