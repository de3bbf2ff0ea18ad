package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.accepted;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LeaderEpochTest {
    private final LogFixture fixture = new LogFixture();

    private void appendInEpoch(int epoch, int count) {
        IntStream.range(0, count)
                .forEach(i -> accepted(fixture.log.appendAsLeader(
                        fixture.batch("v" + i).build(), epoch, Origin.CLIENT, fixture.nowMs)));
    }

    @Test
    void says_where_an_epoch_ended_after_every_kind_of_restart() {
        appendInEpoch(1, 10);
        appendInEpoch(3, 10);
        fixture.log.startEpoch(5);
        appendInEpoch(5, 10);

        for (Runnable restart : List.<Runnable>of(() -> {}, fixture::kill, fixture::restartCleanly, fixture::kill)) {
            restart.run();

            assertThat(fixture.log.latestEpoch()).isEqualTo(5);
            assertThat(fixture.log.epochEndOffset(0)).isEqualTo(new OffsetAndEpoch(0, 0));
            assertThat(fixture.log.epochEndOffset(1)).isEqualTo(new OffsetAndEpoch(10, 1));
            assertThat(fixture.log.epochEndOffset(2)).isEqualTo(new OffsetAndEpoch(10, 1));
            assertThat(fixture.log.epochEndOffset(3)).isEqualTo(new OffsetAndEpoch(20, 3));
            assertThat(fixture.log.epochEndOffset(5)).isEqualTo(new OffsetAndEpoch(30, 5));
            assertThat(fixture.log.epochEndOffset(6)).isEqualTo(OffsetAndEpoch.UNKNOWN);
        }
        byte[] file = fixture.disk.readFully(LogFixture.FOLDER.resolve("leader-epoch-checkpoint"));
        assertThat(new String(file, StandardCharsets.UTF_8)).isEqualTo("0\n3\n1 0\n3 10\n5 20\n");
    }

    @Test
    void truncation_by_epoch_forgets_the_epochs_that_are_cut() {
        appendInEpoch(1, 60);
        appendInEpoch(2, 60);
        fixture.checkpoint();

        fixture.log.truncateTo(fixture.log.epochEndOffset(1).offset(), fixture.nowMs);

        assertThat(fixture.log.endOffset()).isEqualTo(60);
        assertThat(fixture.log.recoveryPoint()).isEqualTo(60);
        assertThat(fixture.log.latestEpoch()).isEqualTo(1);
        appendInEpoch(4, 60);
        fixture.kill();
        assertThat(fixture.log.epochEndOffset(3)).isEqualTo(new OffsetAndEpoch(60, 1));
        assertThat(fixture.values()).hasSize(120);
    }

    @Test
    void truncation_goes_back_to_the_start_of_a_batch_and_to_every_offset() {
        for (int to = 100; to >= 0; to--) {
            while (fixture.log.endOffset() < 100) {
                fixture.append("a", "b");
            }

            fixture.log.truncateTo(to, fixture.nowMs);

            assertThat(fixture.log.endOffset()).isEqualTo(to - to % 2);
            assertThat(fixture.values()).hasSize(to - to % 2);
        }
    }

    @Test
    void starting_anew_forgets_everything() {
        appendInEpoch(1, 100);
        fixture.send(0, "from a producer");
        fixture.checkpoint();

        fixture.log.truncateFullyAndStartAt(5000, fixture.nowMs);

        assertThat(fixture.log.startOffset()).isEqualTo(5000);
        assertThat(fixture.log.endOffset()).isEqualTo(5000);
        assertThat(fixture.log.latestEpoch()).isEqualTo(-1);
        assertThat(fixture.log.producers()).isEmpty();
        assertThat(fixture.append("next").firstOffset()).isEqualTo(5000);
        fixture.kill();
        assertThat(fixture.values()).containsExactly("next");
    }

    @Test
    void moving_the_start_forgets_epochs_below_it() {
        appendInEpoch(1, 10);
        appendInEpoch(2, 10);

        assertThat(fixture.log.moveStartOffset(15)).isTrue();

        assertThat(fixture.log.moveStartOffset(15)).isFalse();
        assertThat(fixture.log.moveStartOffset(21)).isFalse();
        assertThat(fixture.log.epochEndOffset(1)).isEqualTo(new OffsetAndEpoch(15, 1));
        assertThat(fixture.values()).hasSize(5);
    }
}
