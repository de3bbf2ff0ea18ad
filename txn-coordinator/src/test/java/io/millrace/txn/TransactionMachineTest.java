package io.millrace.txn;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TransactionMachineTest {
    private static final TxnPartition P0 = new TxnPartition("orders", 0);
    private static final TxnPartition P1 = new TxnPartition("orders", 1);

    private final TxnWorld world = new TxnWorld(new TxnSettings(60_000, 3_600_000, (short) 100));

    @Test
    void a_new_id_starts_with_epoch_zero_and_each_new_instance_gets_the_next_epoch() {
        ProducerIdentity first = world.init("t");
        ProducerIdentity second = world.init("t");

        assertThat(first.epoch()).isZero();
        assertThat(second).isEqualTo(new ProducerIdentity(first.producerId(), (short) 1));
    }

    @Test
    void a_commit_writes_markers_with_the_next_epoch_and_is_complete_when_they_are_written() {
        ProducerIdentity producer = world.init("t");
        world.join("t", producer, P0, P1);

        TxnCommand.Answer answer = world.end("t", producer, true, true);

        assertThat(answer.error()).isEqualTo(TxnError.NONE);
        assertThat(answer.identity().epoch()).isEqualTo((short) (producer.epoch() + 1));
        TxnEffect.WriteMarkers markers = world.markersUnderWay("t");
        assertThat(markers.marker().identity()).isEqualTo(answer.identity());
        assertThat(markers.commit()).isTrue();
        assertThat(markers.partitions()).containsExactly(P0, P1);
        world.writeMarkers();
        assertThat(world.status("t")).isEqualTo(TxnStatus.COMPLETE_COMMIT);
    }

    @Test
    void a_repeated_commit_of_the_transaction_before_is_answered_but_never_touches_the_next_one() {
        ProducerIdentity first = world.init("t");
        world.join("t", first, P0);
        ProducerIdentity second = world.end("t", first, true, true).identity();
        world.writeMarkers();

        assertThat(world.end("t", first, true, true).identity()).isEqualTo(second);
        world.join("t", second, P1);
        TxnCommand.Answer late = world.end("t", first, true, true);

        assertThat(late.error()).isEqualTo(TxnError.REPLACED);
        assertThat(world.status("t")).isEqualTo(TxnStatus.ONGOING);
    }

    @Test
    void an_abort_cannot_undo_a_commit() {
        ProducerIdentity first = world.init("t");
        world.join("t", first, P0);
        world.end("t", first, true, true);

        assertThat(world.end("t", first, false, true).error()).isEqualTo(TxnError.REPLACED);
        assertThat(world.markersUnderWay("t").commit()).isTrue();
    }

    @Test
    void a_commit_without_records_is_a_success() {
        ProducerIdentity producer = world.init("t");

        assertThat(world.end("t", producer, true, true).error()).isEqualTo(TxnError.NONE);
        assertThat(world.end("t", world.current("t"), true, false).error()).isEqualTo(TxnError.NONE);
    }

    @Test
    void the_next_transaction_waits_until_the_last_one_is_finished() {
        ProducerIdentity first = world.init("t");
        world.join("t", first, P0);
        ProducerIdentity second = world.end("t", first, true, true).identity();

        var early = world.joinLater("t", second, P0);

        assertThat(early).isNotDone();
        world.writeMarkers();
        assertThat(early).isCompletedWithValueMatching(answer -> answer.error() == TxnError.NONE);
        assertThat(world.status("t")).isEqualTo(TxnStatus.ONGOING);
    }

    @Test
    void who_waits_too_long_is_told_so() {
        ProducerIdentity first = world.init("t");
        world.join("t", first, P0);
        ProducerIdentity second = world.end("t", first, true, true).identity();
        var early = world.joinLater("t", second, P0);

        world.passTime(25_000);

        assertThat(early).isCompletedWithValueMatching(answer -> answer.error() == TxnError.STILL_FINISHING);
    }

    @Test
    void who_has_less_patience_is_told_sooner_and_the_rest_waits_on() {
        ProducerIdentity first = world.init("t");
        world.join("t", first, P0);
        ProducerIdentity second = world.end("t", first, true, true).identity();
        var patient = world.joinLater("t", second, P0);
        var hasty = world.joinWithin(50, "t", second, P0);

        world.passTime(50);
        assertThat(hasty).isCompletedWithValueMatching(answer -> answer.error() == TxnError.STILL_FINISHING);
        assertThat(patient).isNotDone();

        world.writeMarkers();
        assertThat(patient).isCompletedWithValueMatching(answer -> answer.error() == TxnError.NONE);
    }

    @Test
    void a_new_instance_aborts_what_the_old_one_left_open_and_shuts_it_out() {
        ProducerIdentity old = world.init("t");
        world.join("t", old, P0);

        var init = world.initLater("t", null);
        assertThat(init).isNotDone();
        assertThat(world.markersUnderWay("t").commit()).isFalse();
        world.writeMarkers();

        assertThat(init.join().identity().epoch()).isGreaterThan(old.epoch());
        assertThat(world.end("t", old, true, true).error()).isEqualTo(TxnError.REPLACED);
        assertThat(world.joinLater("t", old, P0).join().error()).isEqualTo(TxnError.REPLACED);
    }

    @Test
    void a_transaction_that_takes_too_long_is_aborted_and_its_producer_may_abort_and_go_on() {
        ProducerIdentity producer = world.init("t");
        world.join("t", producer, P0);

        world.passTime(60_001);
        world.writeMarkers();

        assertThat(world.status("t")).isEqualTo(TxnStatus.COMPLETE_ABORT);
        assertThat(world.end("t", producer, true, true).error()).isEqualTo(TxnError.TIMED_OUT);
        TxnCommand.Answer abort = world.end("t", producer, false, true);
        assertThat(abort.error()).isEqualTo(TxnError.NONE);
        assertThat(world.joinLater("t", abort.identity(), P0).join().error()).isEqualTo(TxnError.NONE);
    }

    @Test
    void a_producer_that_recovers_keeps_its_place_even_when_its_open_transaction_had_to_be_aborted() {
        ProducerIdentity producer = world.init("t");
        world.join("t", producer, P0);

        var init = world.initLater("t", producer);
        world.writeMarkers();

        assertThat(init.join().error()).isEqualTo(TxnError.NONE);
        assertThat(world.initLater("t", producer).join().error())
                .as("a repeat of the recovery, whose answer was lost")
                .isEqualTo(TxnError.NONE);
    }

    @Test
    void a_producer_that_was_replaced_cannot_recover() {
        ProducerIdentity old = world.init("t");
        world.init("t");

        assertThat(world.initLater("t", old).join().error()).isEqualTo(TxnError.REPLACED);
    }

    @Test
    void used_up_epochs_give_a_new_producer_id_without_the_client_noticing() {
        TxnWorld small = new TxnWorld(new TxnSettings(60_000, 3_600_000, (short) 4));
        ProducerIdentity producer = small.init("t");

        for (int round = 0; round < 12; round++) {
            small.join("t", producer, P0);
            TxnCommand.Answer answer = small.end("t", producer, true, true);
            assertThat(answer.error()).isEqualTo(TxnError.NONE);
            assertThat(small.markersUnderWay("t").marker().identity().epoch())
                    .isEqualTo((short) (producer.epoch() + 1));
            small.writeMarkers();
            producer = answer.identity();
            assertThat(producer.epoch()).isBetween((short) 0, (short) 4);
        }

        assertThat(producer.producerId()).isGreaterThan(1);
    }

    @Test
    void verification_refuses_a_partition_that_was_never_added() {
        ProducerIdentity producer = world.init("t");
        world.join("t", producer, P0);

        assertThat(world.verify("t", producer, P0).error()).isEqualTo(TxnError.NONE);
        assertThat(world.verify("t", producer, P1).error()).isEqualTo(TxnError.INVALID_STATE);
    }

    @Test
    void an_idle_id_is_forgotten_but_not_one_with_an_open_end() {
        world.init("idle");
        ProducerIdentity producer = world.init("busy");
        world.join("busy", producer, P0);
        world.end("busy", producer, true, true);

        world.passTime(3_600_001);

        assertThat(world.status("idle")).isNull();
        assertThat(world.status("busy")).isEqualTo(TxnStatus.PREPARE_COMMIT);
    }

    @Test
    void an_end_that_was_under_way_is_taken_up_again_after_a_restart() {
        ProducerIdentity producer = world.init("t");
        world.join("t", producer, P0);
        world.end("t", producer, true, true);

        world.restart();

        assertThat(world.markersUnderWay("t").partitions()).containsExactly(P0);
        world.writeMarkers();
        assertThat(world.status("t")).isEqualTo(TxnStatus.COMPLETE_COMMIT);
    }

    @Test
    void markers_reported_twice_change_nothing() {
        ProducerIdentity producer = world.init("t");
        world.join("t", producer, P0);
        ProducerIdentity next = world.end("t", producer, true, true).identity();
        TxnEffect.WriteMarkers markers = world.markersUnderWay("t");
        world.writeMarkers();
        world.join("t", next, P1);

        world.reportWritten(markers);

        assertThat(world.status("t")).isEqualTo(TxnStatus.ONGOING);
    }

    @Test
    void refuses_a_timeout_beyond_the_limit_and_says_what_is_allowed() {
        TxnCommand.Answer answer = world.initWithTimeout("t", 60_001);

        assertThat(answer.error()).isEqualTo(TxnError.INVALID_TIMEOUT);
        assertThat(answer.message()).contains("60001").contains("1 to 60000");
    }
}
