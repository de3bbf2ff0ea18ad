package io.millrace.streams.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OverlayTest {
    private static final ChangelogPosition TEN = new ChangelogPosition(1, 2, 10);

    @TempDir
    private Path dir;

    private StateMemory memory;
    private TaskDatabase database;
    private Overlay overlay;

    @BeforeEach
    void open() {
        memory = new StateMemory(8 << 20, dir.resolve("native"));
        reopen();
    }

    @AfterEach
    void close() {
        database.close();
        memory.close();
    }

    @Test
    void reads_its_own_uncommitted_writes_over_the_committed_ones() {
        commit("a", "1");

        put("a", "2");

        assertThat(get("a")).isEqualTo("2");
        overlay.remove(bytes("a"));
        assertThat(get("a")).isNull();
    }

    @Test
    void undo_of_a_record_leaves_the_earlier_records_of_the_interval() {
        put("a", "1");
        overlay.beginRecord();
        put("a", "2");
        put("a", "3");
        put("b", "1");
        overlay.remove(bytes("a"));

        overlay.undoRecord();

        assertThat(get("a")).isEqualTo("1");
        assertThat(get("b")).isNull();
        assertThat(overlay.changes()).hasSize(1);
    }

    @Test
    void abort_of_an_interval_leaves_what_was_committed() {
        commit("a", "1");
        put("a", "2");
        overlay.remove(bytes("a"));

        overlay.clear();

        assertThat(get("a")).isEqualTo("1");
    }

    @Test
    void undo_of_the_first_change_of_a_key_leaves_no_change_behind() {
        commit("a", "1");
        put("b", "1");
        overlay.beginRecord();
        put("a", "2");
        overlay.remove(bytes("c"));

        overlay.undoRecord();

        assertThat(get("a")).isEqualTo("1");
        assertThat(overlay.changes()).extracting(Change::key).containsExactly(bytes("b"));
    }

    @Test
    void remembers_what_the_last_interval_read_or_wrote_and_nothing_older() {
        commit("read", "1");
        get("read");
        put("written", "1");
        overlay.remove(bytes("removed"));
        overlay.committed();
        database.close(); // whoever asks below fails

        assertThat(overlay.isEmpty()).isTrue();
        assertThat(get("read")).isEqualTo("1");
        assertThat(get("written")).isEqualTo("1");
        assertThat(get("removed")).isNull();
        reopen();
        overlay.committed();
        overlay.committed();
        assertThat(get("written")).as("what the database holds").isNull();
    }

    @Test
    void abort_of_an_interval_does_not_remember_its_values_as_committed() {
        put("a", "1");
        overlay.committed();
        commit("a", "1");
        put("a", "2");

        overlay.clear();
        overlay.committed();

        assertThat(get("a")).isEqualTo("1");
    }

    @Test
    void keys_of_both_layers_come_in_order_without_removed_ones() {
        commit("a", "1");
        commit("c", "1");
        commit("d", "1");
        put("b", "1");
        overlay.remove(bytes("c"));

        List<byte[]> keys = overlay.keys(bytes("a"), bytes("z"), 2);

        assertThat(keys).extracting(key -> new String(key, UTF_8)).containsExactly("a", "b");
        assertThat(overlay.keys(bytes("a"), bytes("z"), 10))
                .extracting(key -> new String(key, UTF_8))
                .containsExactly("a", "b", "d");
    }

    @Test
    void values_and_their_changelog_position_survive_together() {
        database.write(Map.of("s", List.of(new Change(bytes("a"), bytes("1")))), Map.of("s", TEN));

        database.close();
        reopen();

        assertThat(get("a")).isEqualTo("1");
        assertThat(database.position("s")).isEqualTo(TEN);
    }

    @Test
    void a_forgotten_store_is_empty_and_stands_for_nothing() {
        database.write(Map.of("s", List.of(new Change(bytes("a"), bytes("1")))), Map.of("s", TEN));

        database.forget("s");

        assertThat(get("a")).isNull();
        assertThat(database.position("s")).isNull();
    }

    @Test
    void opens_a_database_with_stores_that_the_job_no_longer_has() {
        database.close();
        database = TaskDatabase.open(dir.resolve("db"), List.of("other"), memory);

        assertThat(database.position("s")).isNull();
        assertThat(database.committed("other").get(bytes("a"))).isNull();
    }

    private void reopen() {
        database = TaskDatabase.open(dir.resolve("db"), List.of("s"), memory);
        overlay = new Overlay(database.committed("s"));
    }

    private void commit(String key, String value) {
        database.write(Map.of("s", List.of(new Change(bytes(key), bytes(value)))), Map.of());
    }

    private void put(String key, String value) {
        overlay.put(bytes(key), bytes(value));
    }

    private String get(String key) {
        byte[] value = overlay.get(bytes(key));
        return value == null ? null : new String(value, UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
