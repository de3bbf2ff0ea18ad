package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.EPOCH;
import static io.millrace.broker.log.LogFixture.accepted;
import static io.millrace.broker.log.LogFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.Appended.Accepted;
import io.millrace.broker.log.LogSettings.TimestampType;
import io.millrace.broker.log.LogSettings.Timestamps;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AppendAndReadTest {
    private final LogFixture fixture = new LogFixture();

    @Test
    void gives_offsets_and_the_leader_epoch_to_what_it_appends() {
        Accepted first = fixture.append("a", "b");
        Accepted second = fixture.append("c");

        assertThat(first).isEqualTo(new Accepted(0, 1, -1));
        assertThat(second).isEqualTo(new Accepted(2, 2, -1));
        assertThat(fixture.log.endOffset()).isEqualTo(3);
        assertThat(fixture.log.latestEpoch()).isEqualTo(EPOCH);
        assertThat(fixture.values()).containsExactly("a", "b", "c");
    }

    @Test
    void rolls_to_a_new_segment_when_the_next_batch_does_not_fit() {
        IntStream.range(0, 200).forEach(i -> fixture.append("value-" + i));

        assertThat(fixture.fileNames())
                .filteredOn(name -> name.endsWith(".log"))
                .hasSizeGreaterThan(3);
        assertThat(fixture.values()).hasSize(200).startsWith("value-0").endsWith("value-199");
    }

    @Test
    void reads_from_every_offset_with_every_limit() {
        IntStream.range(0, 120).forEach(i -> fixture.append("value-" + i, "second-" + i));
        ReadView live = fixture.view();
        fixture.restartCleanly();
        ReadView reopened = fixture.view();

        for (ReadView view : List.of(live.endOffset() == 240 ? reopened : live, reopened)) {
            for (long from = 0; from <= 240; from++) {
                assertThat(LogFixture.readFrom(from, 150 + (int) from, view)).hasSize((int) (240 - from));
            }
        }
    }

    @Test
    void never_hands_out_a_batch_at_or_behind_the_limit() {
        IntStream.range(0, 50).forEach(i -> fixture.append("a-" + i, "b-" + i));

        for (long upTo = 0; upTo <= 100; upTo++) {
            long next = 0;
            Slice slice = fixture.view().read(next, 1 << 20, upTo, true);
            while (!slice.isEmpty()) {
                for (RecordBatch batch : new RecordBatches(LogFixture.bytesOf(slice))) {
                    next = batch.lastOffset() + 1;
                }
                slice = fixture.view().read(next, 1 << 20, upTo, true);
            }
            assertThat(next).isEqualTo(upTo - upTo % 2);
        }
    }

    @Test
    void hands_out_a_batch_that_is_too_large_only_when_asked_for_at_least_one() {
        fixture.append("x".repeat(500));

        assertThat(fixture.view().read(0, 100, 1, false).isEmpty()).isTrue();
        assertThat(fixture.view().read(0, 100, 1, true).sizeBytes()).isGreaterThan(500);
    }

    @Test
    void a_view_does_not_see_what_comes_after_it() {
        fixture.append("a");
        ReadView view = fixture.view();

        fixture.append("b");

        assertThat(view.endOffset()).isEqualTo(1);
        assertThat(LogFixture.readFrom(0, 1000, view)).hasSize(1);
    }

    @Test
    void stamps_the_time_of_append_where_the_topic_asks_for_it() {
        fixture.settings(fixture.settings.withTimestamps(
                new Timestamps(TimestampType.LOG_APPEND_TIME, Long.MAX_VALUE, 3_600_000)));

        Accepted accepted = fixture.append("a");

        assertThat(accepted.logAppendTimeMs()).isEqualTo(fixture.nowMs);
        RecordBatch batch =
                new RecordBatch().at(LogFixture.bytesOf(fixture.view().read(0, 1000, 1, true)), 0);
        assertThat(batch.checksumOk()).isTrue();
        assertThat(batch.appendTime()).isTrue();
        assertThat(batch.maxTimestamp()).isEqualTo(fixture.nowMs);
    }

    @Test
    void finds_the_first_record_at_or_behind_a_time() {
        long start = fixture.nowMs;
        for (int i = 0; i < 300; i++) {
            fixture.nowMs = start + i * 10L;
            fixture.append("value-" + i);
        }

        for (int i = 0; i < 300; i++) {
            assertThat(fixture.view().offsetForTime(start + i * 10L - 5))
                    .contains(new TimestampAndOffset(start + i * 10L, i, EPOCH));
        }
        assertThat(fixture.view().offsetForTime(start + 3000)).isEmpty();
        assertThat(fixture.view().maxTimestamp()).contains(new TimestampAndOffset(start + 2990, 299, EPOCH));
        fixture.restartCleanly();
        assertThat(fixture.view().offsetForTime(start + 1005))
                .contains(new TimestampAndOffset(start + 1010, 101, EPOCH));
        assertThat(fixture.view().maxTimestamp()).contains(new TimestampAndOffset(start + 2990, 299, EPOCH));
    }

    @Test
    void refuses_what_is_not_a_sound_batch() {
        ByteBuffer flipped = fixture.batch("a").build();
        flipped.put(flipped.limit() - 1, (byte) 99);
        ByteBuffer torn = fixture.batch("a").build();
        torn.limit(torn.limit() - 1);
        ByteBuffer old = fixture.batch("a").build();
        old.put(RecordBatch.MAGIC_AT, (byte) 1);
        ByteBuffer two = ByteBuffer.allocate(500)
                .put(fixture.batch("a").build())
                .put(fixture.batch("b").build())
                .flip();

        assertThat(refusal(fixture.send(flipped))).isEqualTo(Refusal.CORRUPT_MESSAGE);
        assertThat(refusal(fixture.send(torn))).isEqualTo(Refusal.CORRUPT_MESSAGE);
        assertThat(refusal(fixture.send(ByteBuffer.allocate(0)))).isEqualTo(Refusal.CORRUPT_MESSAGE);
        assertThat(refusal(fixture.send(old))).isEqualTo(Refusal.UNSUPPORTED_FORMAT);
        assertThat(refusal(fixture.send(two))).isEqualTo(Refusal.INVALID_RECORD);
        assertThat(fixture.log.endOffset()).isZero();
    }

    @Test
    void refuses_what_a_client_may_not_send() {
        ByteBuffer marker = BatchBuilder.endTransactionMarker(1, (short) 0, true, 0, fixture.nowMs);
        ByteBuffer transactionOfNobody = fixture.batch("a").transactional().build();
        ByteBuffer future = new BatchBuilder()
                .add(fixture.nowMs + 7_200_000, (byte[]) null, new byte[1])
                .build();
        fixture.settings(fixture.settings.withMaxMessageBytes(500));

        assertThat(refusal(fixture.send(marker))).isEqualTo(Refusal.INVALID_RECORD);
        assertThat(refusal(fixture.send(transactionOfNobody))).isEqualTo(Refusal.INVALID_RECORD);
        assertThat(refusal(fixture.send(future))).isEqualTo(Refusal.INVALID_TIMESTAMP);
        assertThat(refusal(fixture.send(fixture.batch("x".repeat(600)).build())))
                .isEqualTo(Refusal.MESSAGE_TOO_LARGE);
        assertThat(refusal(fixture.send(fixture.batch("x".repeat(5000)).build())))
                .isEqualTo(Refusal.RECORD_LIST_TOO_LARGE);
        assertThat(fixture.log.endOffset()).isZero();
    }

    @Test
    void a_follower_takes_more_at_once_than_its_segments_hold() {
        ByteBuffer fetched = ByteBuffer.allocate(100_000);
        for (int i = 0; i < 300; i++) {
            fetched.put(fixture.batch("value-" + i).at(i, 3).build());
        }

        accepted(fixture.log.appendAsFollower(fetched.flip(), fixture.nowMs));

        assertThat(fixture.values()).hasSize(300);
        assertThat(fixture.fileNames())
                .filteredOn(name -> name.endsWith(".log"))
                .hasSizeGreaterThan(3);
    }

    @Test
    void a_follower_takes_batches_as_they_are_and_refuses_what_it_has() {
        ByteBuffer batch = fixture.batch("a", "b").at(10, 3).build();

        accepted(fixture.log.appendAsFollower(batch, fixture.nowMs));

        assertThat(fixture.log.endOffset()).isEqualTo(12);
        assertThat(fixture.log.latestEpoch()).isEqualTo(3);
        assertThat(refusal(fixture.log.appendAsFollower(batch, fixture.nowMs))).isEqualTo(Refusal.UNEXPECTED_OFFSET);
        batch.put(batch.limit() - 1, (byte) 99);
        assertThat(refusal(fixture.log.appendAsFollower(batch, fixture.nowMs))).isEqualTo(Refusal.CORRUPT_MESSAGE);
    }
}
