package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.PRODUCER;
import static io.millrace.broker.log.LogFixture.accepted;
import static io.millrace.broker.log.LogFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.Appended.Duplicate;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProducerMemoryTest {
    private final LogFixture fixture = new LogFixture();

    private void sendSequences(int from, int to) {
        for (int sequence = from; sequence <= to; sequence++) {
            accepted(fixture.send(sequence, "value-" + sequence));
        }
    }

    private Appended sendAs(int epoch, int sequence) {
        return fixture.send(
                fixture.batch("v").producer(PRODUCER, (short) epoch, sequence).build());
    }

    @Test
    void a_repeat_of_any_of_the_last_five_batches_is_answered_with_its_offset() {
        sendSequences(0, 5);

        for (int sequence = 1; sequence <= 5; sequence++) {
            assertThat(fixture.send(sequence, "again")).isEqualTo(new Duplicate(sequence, sequence, -1));
        }
        assertThat(refusal(fixture.send(0, "too old"))).isEqualTo(Refusal.OUT_OF_ORDER_SEQUENCE);
        assertThat(fixture.log.endOffset()).isEqualTo(6);
    }

    @Test
    void a_gap_is_refused() {
        sendSequences(0, 0);

        assertThat(refusal(fixture.send(2, "c"))).isEqualTo(Refusal.OUT_OF_ORDER_SEQUENCE);
    }

    @Test
    void a_batch_that_has_overtaken_its_producers_first_one_is_refused() {
        assertThat(refusal(fixture.send(1, "second"))).isEqualTo(Refusal.OUT_OF_ORDER_SEQUENCE);

        accepted(fixture.send(0, "first"));
        accepted(fixture.send(1, "second"));
    }

    private void forgetEverybody() {
        fixture.append("by somebody");
        fixture.kill();
    }

    @Test
    void a_producer_that_may_have_been_forgotten_may_start_anywhere() {
        forgetEverybody();

        accepted(fixture.send(100, "a"));
    }

    @Test
    void a_new_epoch_starts_at_zero_and_fences_the_old_one() {
        sendSequences(0, 2);

        assertThat(refusal(sendAs(1, 3))).isEqualTo(Refusal.OUT_OF_ORDER_SEQUENCE);
        accepted(sendAs(1, 0));
        assertThat(refusal(sendAs(0, 3))).isEqualTo(Refusal.INVALID_PRODUCER_EPOCH);
    }

    @Test
    void sequences_start_over_behind_the_largest() {
        forgetEverybody();
        accepted(fixture.send(Integer.MAX_VALUE - 1, "a", "b", "c"));

        assertThat(refusal(fixture.send(2, "d"))).isEqualTo(Refusal.OUT_OF_ORDER_SEQUENCE);
        accepted(fixture.send(1, "d"));
        assertThat(fixture.send(Integer.MAX_VALUE - 1, "a", "b", "c")).isEqualTo(new Duplicate(1, 3, -1));
    }

    @Test
    void five_batches_are_remembered_across_every_kind_of_restart() {
        List<Runnable> restarts =
                List.of(fixture::restartCleanly, fixture::kill, this::checkpointAndCutPower, this::rollAndKill);
        int next = 0;
        for (Runnable restart : restarts) {
            sendSequences(next, next + 6);
            next += 7;
            long end = fixture.log.endOffset();

            restart.run();

            for (int sequence = next - 5; sequence < next; sequence++) {
                assertThat(fixture.send(sequence, "again")).isInstanceOf(Duplicate.class);
            }
            assertThat(refusal(fixture.send(next - 6, "too old"))).isEqualTo(Refusal.OUT_OF_ORDER_SEQUENCE);
            assertThat(fixture.log.endOffset()).isEqualTo(end);
        }
    }

    private void checkpointAndCutPower() {
        fixture.checkpoint();
        fixture.cutPower();
    }

    private void rollAndKill() {
        fixture.nowMs += fixture.settings.segments().maxAgeMs();
        assertThat(fixture.log.rollIfDue(fixture.nowMs)).isTrue();
        fixture.kill();
    }

    @Test
    void the_memory_survives_when_retention_has_emptied_the_log() {
        sendSequences(0, 5);
        fixture.settings(fixture.settings.withRetention(new LogSettings.Retention(true, -1, 1000, 0)));
        fixture.nowMs += 2000;
        fixture.log.applyRetention(fixture.nowMs, fixture.log.endOffset());
        fixture.checkpoint();
        fixture.log.applyRetention(fixture.nowMs, fixture.log.endOffset());
        fixture.log.deleteFilesDue(fixture.nowMs);
        assertThat(fixture.log.startOffset()).isEqualTo(6);
        assertThat(fixture.log.sizeBytes()).isZero();

        assertThat(fixture.send(3, "again")).isEqualTo(new Duplicate(3, 3, -1));
        for (Runnable restart : List.<Runnable>of(fixture::kill, fixture::cutPower, fixture::restartCleanly)) {
            restart.run();
            assertThat(fixture.send(3, "again")).isEqualTo(new Duplicate(3, 3, -1));
            assertThat(refusal(fixture.send(7, "gap"))).isEqualTo(Refusal.OUT_OF_ORDER_SEQUENCE);
        }
    }

    @Test
    void a_damaged_snapshot_is_replaced_by_an_older_one() {
        sendSequences(0, 5);
        fixture.checkpoint();
        sendSequences(6, 8);
        fixture.checkpoint();
        fixture.disk.killOwner();
        Path newest = fixture.file(9, ".snapshot");
        fixture.disk.damage(newest, bytes -> {
            bytes[20] ^= 1;
            return bytes;
        });

        fixture.open(false);

        assertThat(fixture.send(4, "again")).isEqualTo(new Duplicate(4, 4, -1));
        assertThat(fixture.send(8, "again")).isEqualTo(new Duplicate(8, 8, -1));
        assertThat(fixture.values()).hasSize(9);
    }

    @Test
    void silent_producers_are_forgotten_but_never_one_with_an_open_transaction() {
        fixture.appendInTransaction(1, 0, 0, "a");
        sendSequences(0, 0);
        fixture.nowMs += 1000;

        assertThat(fixture.log.expireProducers(fixture.nowMs)).isZero();
        fixture.nowMs += fixture.settings.producerIdExpirationMs();
        assertThat(fixture.log.expireProducers(fixture.nowMs)).isEqualTo(1);

        assertThat(fixture.log.producer(PRODUCER)).isEmpty();
        assertThat(fixture.log.producer(1)).isPresent();
    }

    @Test
    void of_too_many_producers_those_silent_for_longest_are_forgotten() {
        fixture.settings(fixture.settings.withProducers(3_600_000, 100));
        sendSequences(0, 0);
        for (int id = 0; id < 300; id++) {
            accepted(fixture.send(
                    fixture.batch("x").producer(10_000 + id, (short) 0, 0).build()));
            if (id == 250) {
                sendSequences(1, 1);
            }
        }

        assertThat(fixture.log.expireProducers(fixture.nowMs)).isEqualTo(201);

        assertThat(fixture.log.producers()).hasSize(100);
        assertThat(fixture.send(1, "again")).isInstanceOf(Duplicate.class);
    }
}
