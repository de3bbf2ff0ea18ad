package io.millrace.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.LogSettings.Retention;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetentionTest {
    private final LogFixture fixture = new LogFixture();

    private void append(int count) {
        IntStream.range(0, count).forEach(i -> fixture.append("value-" + i));
    }

    private int applyRetention() {
        return fixture.log.applyRetention(fixture.nowMs, fixture.log.endOffset());
    }

    @Test
    void too_many_bytes_make_the_oldest_segments_go() {
        append(300);
        fixture.checkpoint();
        fixture.settings(fixture.settings.withRetention(new Retention(true, 10_000, -1, 60_000)));

        assertThat(applyRetention()).isPositive();

        assertThat(fixture.log.sizeBytes()).isBetween(10_000L, 14_096L);
        assertThat(fixture.log.startOffset()).isPositive();
        assertThat(fixture.valuesFrom(fixture.log.startOffset())).hasSize((int) (300 - fixture.log.startOffset()));
        assertThat(applyRetention()).isZero();
    }

    @Test
    void old_segments_go_and_readers_have_a_while_to_finish() {
        append(300);
        ReadView before = fixture.view();
        fixture.settings(fixture.settings.withRetention(new Retention(true, -1, 5_000, 60_000)));
        fixture.nowMs += 6_000;
        append(1);
        fixture.checkpoint();

        assertThat(applyRetention()).isPositive();

        assertThat(fixture.log.startOffset()).isGreaterThan(200);
        assertThat(LogFixture.readFrom(0, 1000, before)).hasSize(300);
        assertThat(fixture.log.deleteFilesDue(fixture.nowMs + 59_999)).isZero();
        assertThat(fixture.log.deleteFilesDue(fixture.nowMs + 60_000)).isPositive();
        assertThat(fixture.fileNames()).noneMatch(name -> name.endsWith(".deleted"));
    }

    @Test
    void nothing_that_replicas_or_the_next_start_still_need_goes() {
        append(300);
        fixture.settings(fixture.settings.withRetention(new Retention(true, 0, -1, 0)));

        assertThat(applyRetention()).as("not below the recovery point").isZero();
        fixture.checkpoint();
        assertThat(fixture.log.applyRetention(fixture.nowMs, 100))
                .as("not below the high watermark")
                .isPositive();

        assertThat(fixture.log.startOffset()).isBetween(1L, 100L);
    }

    @Test
    void a_log_of_which_all_is_too_old_begins_anew_at_its_end() {
        append(10);
        fixture.settings(fixture.settings.withRetention(new Retention(true, -1, 5_000, 0)));
        fixture.nowMs += 6_000;
        applyRetention();
        fixture.checkpoint();

        assertThat(applyRetention()).isEqualTo(1);

        assertThat(fixture.log.startOffset()).isEqualTo(10);
        assertThat(fixture.log.endOffset()).isEqualTo(10);
        fixture.kill();
        assertThat(fixture.append("next").firstOffset()).isEqualTo(10);
    }

    @Test
    void moving_the_start_hides_records_at_once_and_frees_their_space_later() {
        append(300);
        fixture.checkpoint();
        fixture.settings(fixture.settings.withRetention(new Retention(false, -1, -1, 0)));

        assertThat(fixture.log.moveStartOffset(250)).isTrue();

        assertThat(fixture.values()).hasSize(50);
        assertThat(applyRetention()).isPositive();
        fixture.written = fixture.log.lastCheckpoint();
        fixture.kill();
        assertThat(fixture.log.startOffset()).isEqualTo(250);
        assertThat(fixture.values()).hasSize(50);
    }

    @Test
    void segments_roll_when_they_are_old_enough() {
        append(3);
        long opened = fixture.nowMs;

        assertThat(fixture.log.rollIfDue(opened + fixture.settings.segments().maxAgeMs() - 1))
                .isFalse();
        assertThat(fixture.log.rollIfDue(opened + fixture.settings.segments().maxAgeMs()))
                .isTrue();
        assertThat(fixture.log.rollIfDue(opened + fixture.settings.segments().maxAgeMs()))
                .as("an empty one")
                .isFalse();
        assertThat(fixture.append("next").firstOffset()).isEqualTo(3);
    }

    @Test
    void an_idle_log_has_nothing_to_make_durable() {
        assertThat(fixture.log.needsCheckpoint()).isFalse();
        append(1);
        assertThat(fixture.log.needsCheckpoint()).isTrue();
        fixture.checkpoint();
        assertThat(fixture.log.needsCheckpoint()).isFalse();
    }

    @Test
    void only_the_newest_snapshots_and_those_where_a_segment_begins_are_kept() {
        for (int i = 0; i < 20; i++) {
            append(15);
            fixture.checkpoint();
        }

        long segments = fixture.fileNames().stream()
                .filter(name -> name.endsWith(".log"))
                .count();
        long snapshots = fixture.fileNames().stream()
                .filter(name -> name.endsWith(".snapshot"))
                .count();
        assertThat(snapshots).isLessThanOrEqualTo(segments + 2);
    }
}
