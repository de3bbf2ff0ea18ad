package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.EPOCH;
import static io.millrace.broker.log.LogFixture.accepted;
import static io.millrace.broker.log.LogFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.Appended.Duplicate;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TransactionTest {
    private static final long P1 = 1;
    private static final long P2 = 2;

    private final LogFixture fixture = new LogFixture();

    private long firstUnstable() {
        return fixture.log.firstUnstableOffset(fixture.log.endOffset());
    }

    private void rollAndKill() {
        fixture.nowMs += fixture.settings.segments().maxAgeMs();
        assertThat(fixture.log.rollIfDue(fixture.nowMs)).isTrue();
        fixture.kill();
    }

    @Test
    void an_open_transaction_holds_committed_readers_back() {
        fixture.append("plain");
        fixture.appendInTransaction(P1, 0, 0, "a");
        fixture.appendInTransaction(P2, 0, 0, "b");
        assertThat(firstUnstable()).isEqualTo(1);
        assertThat(fixture.log.hasOpenTransaction(P1, (short) 0)).isTrue();
        assertThat(fixture.log.openTransactions()).contains(new OpenTransaction(P1, (short) 0, 1, fixture.nowMs));

        fixture.commit(P1, 0);

        assertThat(firstUnstable()).isEqualTo(2);
        assertThat(fixture.log.hasOpenTransaction(P1, (short) 0)).isFalse();
        fixture.commit(P2, 0);
        assertThat(firstUnstable()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void a_transaction_whose_marker_is_not_replicated_is_not_stable_yet() {
        fixture.appendInTransaction(P1, 0, 0, "a", "b");
        long marker = fixture.commit(P1, 0).firstOffset();

        assertThat(fixture.log.firstUnstableOffset(marker)).isZero();
        assertThat(fixture.log.firstUnstableOffset(marker + 1)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aborted_transactions_are_known_after_roll_and_every_kind_of_restart() {
        fixture.appendInTransaction(P1, 0, 0, "a");
        fixture.appendInTransaction(P2, 0, 0, "b");
        fixture.abort(P1, 0);
        fixture.appendInTransaction(P1, 0, 1, "c");
        fixture.commit(P2, 0);
        fixture.abort(P1, 0);
        List<Aborted> expected = List.of(new Aborted(P1, 0), new Aborted(P1, 3));
        List<Runnable> restarts = List.of(() -> {}, fixture::kill, fixture::restartCleanly, this::rollAndKill, () -> {
            fixture.checkpoint();
            fixture.cutPower();
        });

        for (Runnable restart : restarts) {
            restart.run();

            ReadView view = fixture.view();
            assertThat(view.aborted(0, view.endOffset())).isEqualTo(expected);
            assertThat(view.aborted(0, 1)).containsExactly(new Aborted(P1, 0));
            assertThat(view.aborted(3, 5)).containsExactly(new Aborted(P1, 3));
            assertThat(view.aborted(6, 6)).isEmpty();
        }
    }

    @Test
    void an_aborted_transaction_over_many_segments_is_found_from_each_of_them() {
        fixture.appendInTransaction(P1, 0, 0, "aborted");
        IntStream.range(0, 200).forEach(i -> fixture.append("v" + i));
        fixture.abort(P1, 0);
        IntStream.range(0, 200).forEach(i -> fixture.append("w" + i));

        for (Runnable restart : List.<Runnable>of(() -> {}, fixture::kill, fixture::restartCleanly)) {
            restart.run();
            for (long from = 0; from <= 201; from += 10) {
                assertThat(fixture.view().aborted(from, from + 5)).containsExactly(new Aborted(P1, 0));
            }
            assertThat(fixture.view().aborted(202, 400)).isEmpty();
        }
    }

    @Test
    void an_open_transaction_survives_every_kind_of_restart() {
        fixture.append("plain");
        fixture.appendInTransaction(P1, 0, 0, "a");
        for (Runnable restart : List.<Runnable>of(fixture::kill, fixture::restartCleanly, this::rollAndKill)) {
            restart.run();

            assertThat(firstUnstable()).isEqualTo(1);
            assertThat(fixture.log.hasOpenTransaction(P1, (short) 0)).isTrue();
        }
        fixture.abort(P1, 0);
        assertThat(fixture.view().aborted(0, 5)).containsExactly(new Aborted(P1, 1));
    }

    @Test
    void a_marker_that_is_repeated_is_answered_and_not_written_again() {
        fixture.appendInTransaction(P1, 0, 0, "a");
        fixture.commit(P1, 0);

        Appended again =
                fixture.log.endTransaction(new TransactionMarker(P1, (short) 0, true, 1, false), EPOCH, fixture.nowMs);

        assertThat(again).isEqualTo(new Duplicate(1, 1, -1));
        assertThat(fixture.log.endOffset()).isEqualTo(2);
    }

    @Test
    void a_marker_that_raised_the_epoch_never_ends_the_next_transaction_when_it_is_repeated() {
        TransactionMarker marker = new TransactionMarker(P1, (short) 1, true, 1, true);
        fixture.appendInTransaction(P1, 0, 0, "a");
        accepted(fixture.log.endTransaction(marker, EPOCH, fixture.nowMs));
        fixture.appendInTransaction(P1, 1, 0, "next");

        assertThat(fixture.log.endTransaction(marker, EPOCH, fixture.nowMs)).isInstanceOf(Duplicate.class);

        assertThat(fixture.log.hasOpenTransaction(P1, (short) 1)).isTrue();
        assertThat(firstUnstable()).isEqualTo(2);
    }

    @Test
    void a_marker_with_a_higher_epoch_fences_late_batches_of_the_transaction_it_ended() {
        fixture.appendInTransaction(P1, 0, 0, "a");
        accepted(
                fixture.log.endTransaction(new TransactionMarker(P1, (short) 1, false, 1, true), EPOCH, fixture.nowMs));

        for (Runnable restart : List.<Runnable>of(() -> {}, fixture::kill, fixture::restartCleanly)) {
            restart.run();
            Appended late = fixture.send(fixture.batch("late")
                    .producer(P1, (short) 0, 1)
                    .transactional()
                    .build());
            assertThat(refusal(late)).isEqualTo(Refusal.INVALID_PRODUCER_EPOCH);
            assertThat(firstUnstable()).isEqualTo(Long.MAX_VALUE);
        }
    }

    @Test
    void a_marker_fences_even_where_the_transaction_has_no_records() {
        accepted(fixture.log.endTransaction(new TransactionMarker(P1, (short) 5, true, 1, true), EPOCH, fixture.nowMs));

        Appended late = fixture.send(
                fixture.batch("late").producer(P1, (short) 4, 0).transactional().build());
        assertThat(refusal(late)).isEqualTo(Refusal.INVALID_PRODUCER_EPOCH);
    }

    @Test
    void a_coordinator_that_has_been_replaced_and_an_older_epoch_are_refused() {
        fixture.appendInTransaction(P1, 3, 0, "a");
        accepted(
                fixture.log.endTransaction(new TransactionMarker(P1, (short) 3, true, 9, false), EPOCH, fixture.nowMs));

        assertThat(refusal(fixture.log.endTransaction(
                        new TransactionMarker(P1, (short) 3, true, 8, false), EPOCH, fixture.nowMs)))
                .isEqualTo(Refusal.TRANSACTION_COORDINATOR_FENCED);
        assertThat(refusal(fixture.log.endTransaction(
                        new TransactionMarker(P1, (short) 2, true, 9, false), EPOCH, fixture.nowMs)))
                .isEqualTo(Refusal.INVALID_PRODUCER_EPOCH);
    }

    @Test
    void a_plain_batch_in_the_middle_of_its_producers_transaction_is_refused() {
        fixture.appendInTransaction(P1, 0, 0, "a");

        Appended plain =
                fixture.send(fixture.batch("b").producer(P1, (short) 0, 1).build());

        assertThat(refusal(plain)).isEqualTo(Refusal.INVALID_TXN_STATE);
    }

    @Test
    void a_truncation_takes_transactions_back() {
        fixture.appendInTransaction(P1, 0, 0, "a");
        fixture.abort(P1, 0);
        fixture.appendInTransaction(P2, 0, 0, "b");

        fixture.log.truncateTo(1, fixture.nowMs);

        assertThat(fixture.log.endOffset()).isEqualTo(1);
        assertThat(firstUnstable()).isZero();
        assertThat(fixture.log.hasOpenTransaction(P1, (short) 0)).isTrue();
        assertThat(fixture.log.producer(P2)).isEmpty();
        assertThat(fixture.view().aborted(0, 1)).isEmpty();
    }
}
