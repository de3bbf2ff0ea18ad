package io.millrace.broker.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.kernel.Check;
import java.util.List;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LeaderStateTest {
    private static final int EPOCH = 5;
    private static final long MAX_LAG_MS = 1000;
    private static final LagLimits LIMITS = new LagLimits(MAX_LAG_MS, 1_000_000);
    private static final List<Integer> REPLICAS = List.of(1, 2, 3);
    private static final IntPredicate ALL = REPLICAS::contains;

    /** Node 1 leads, chosen when its log ended at an offset, of which nothing was known to be committed. */
    private static LeaderState leader(long end, Integer... inSync) {
        return new LeaderState(1, EPOCH, members(0, inSync), 0, end, end, 1, 0);
    }

    private static LeaderState.Members members(int version, Integer... inSync) {
        return new LeaderState.Members(version, REPLICAS, List.of(inSync));
    }

    private static void fetched(LeaderState leader, int replica, long offset, long leaderEnd, long nowMs) {
        leader.fetched(replica, 10L * replica, offset, leaderEnd, nowMs);
    }

    @Test
    void a_leader_alone_commits_what_it_has_stored() {
        LeaderState leader = leader(10, 1);
        assertThat(leader.highWatermark()).isEqualTo(10);

        leader.stored(12, 0);

        assertThat(leader.highWatermark()).isEqualTo(12);
    }

    @Test
    void a_record_is_committed_when_every_in_sync_replica_has_it() {
        LeaderState leader = leader(10, 1, 2, 3);

        fetched(leader, 2, 8, 10, 0);
        assertThat(leader.highWatermark()).isZero();
        fetched(leader, 3, 6, 10, 0);

        assertThat(leader.highWatermark()).isEqualTo(6);
        fetched(leader, 3, 8, 10, 0);
        assertThat(leader.highWatermark()).isEqualTo(8);
    }

    @Test
    void a_replica_that_is_not_in_sync_holds_up_nothing() {
        LeaderState leader = leader(10, 1, 2);

        fetched(leader, 2, 10, 10, 0);

        assertThat(leader.highWatermark()).isEqualTo(10);
    }

    @Test
    void the_high_watermark_never_moves_back() {
        LeaderState leader = leader(10, 1, 2);
        fetched(leader, 2, 9, 10, 0);

        fetched(leader, 2, 3, 10, 0);

        assertThat(leader.highWatermark()).isEqualTo(9);
    }

    @Test
    void the_past_is_committed_once_the_in_sync_replicas_have_what_the_leader_had_when_it_was_chosen() {
        LeaderState leader = leader(10, 1, 2);
        leader.stored(15, 0);

        fetched(leader, 2, 9, 15, 0);
        assertThat(leader.caughtUpWithPast()).isFalse();
        fetched(leader, 2, 10, 15, 0);

        assertThat(leader.caughtUpWithPast()).isTrue();
    }

    @Test
    void a_leader_outside_of_its_in_sync_set_is_a_broken_invariant() {
        assertThatThrownBy(() -> leader(0, 2, 3)).isInstanceOf(Check.BrokenInvariant.class);
    }

    @Test
    void knows_whether_acks_all_can_be_promised() {
        assertThat(leader(0, 1, 2).enoughInSync(2)).isTrue();
        assertThat(leader(0, 1).enoughInSync(2)).isFalse();
    }

    @Test
    void a_replica_that_is_behind_for_too_long_should_leave() {
        LeaderState leader = leader(10, 1, 2, 3);
        fetched(leader, 2, 10, 10, 0);
        fetched(leader, 3, 10, 10, 0);
        leader.stored(20, 0);

        assertThat(leader.wanted(LIMITS, ALL, MAX_LAG_MS)).isNull();
        fetched(leader, 2, 20, 20, MAX_LAG_MS);

        assertThat(leader.wanted(LIMITS, ALL, MAX_LAG_MS + 1).inSync()).containsOnlyKeys(1, 2);
    }

    @Test
    void a_replica_that_always_has_what_was_there_when_it_asked_last_is_not_behind() {
        LeaderState leader = leader(10, 1, 2);
        for (int second = 0; second < 10; second++) {
            fetched(leader, 2, 10L * second, 10L * (second + 1), 500L * second);
            leader.stored(10L * (second + 1), 500L * second);
        }

        assertThat(leader.wanted(LIMITS, ALL, 4_600)).isNull();
    }

    @Test
    void a_replica_joins_when_it_has_all_that_is_committed_and_all_from_before_this_leader() {
        LeaderState leader = leader(10, 1, 2);
        fetched(leader, 2, 10, 10, 0);

        fetched(leader, 3, 9, 10, 0);
        assertThat(leader.wanted(LIMITS, ALL, 0)).isNull();
        fetched(leader, 3, 10, 10, 0);

        LeaderState.Proposal wanted = leader.wanted(LIMITS, ALL, 0);
        assertThat(wanted.inSync()).containsEntry(3, 30L).containsOnlyKeys(1, 2, 3);
        assertThat(leader.wanted(LIMITS, node -> node != 3, 0)).isNull();
    }

    @Test
    void a_replica_that_is_proposed_counts_before_the_controller_has_agreed() {
        LeaderState leader = leader(10, 1);
        fetched(leader, 2, 10, 10, 0);
        leader.propose(leader.wanted(LIMITS, ALL, 0));

        leader.stored(20, 0);

        assertThat(leader.highWatermark()).isEqualTo(10);
        assertThat(leader.wanted(LIMITS, ALL, 0))
                .as("while a proposal is under way")
                .isNull();
    }

    @Test
    void a_replica_that_shall_leave_counts_until_the_controller_has_agreed() {
        LeaderState leader = leader(10, 1, 2);
        leader.stored(20, 0);
        leader.propose(leader.wanted(LIMITS, ALL, MAX_LAG_MS + 1));
        assertThat(leader.highWatermark()).isZero();

        leader.agreed(members(1, 1), 0);

        assertThat(leader.highWatermark()).isEqualTo(20);
    }

    @Test
    void after_a_refusal_the_set_is_the_one_from_before() {
        LeaderState leader = leader(10, 1);
        fetched(leader, 2, 10, 10, 0);
        LeaderState.Proposal proposal = leader.wanted(LIMITS, ALL, 0);
        leader.propose(proposal);
        leader.stored(20, 0);

        leader.refused(proposal);

        assertThat(leader.highWatermark()).isEqualTo(20);
        assertThat(leader.awaits(proposal)).isFalse();
    }

    @Test
    void older_news_of_the_partition_changes_nothing() {
        LeaderState leader = leader(10, 1, 2);
        leader.agreed(members(4, 1), 0);

        leader.agreed(members(3, 1, 2, 3), 0);

        assertThat(leader.inSync()).containsExactly(1);
        assertThat(leader.partitionEpoch()).isEqualTo(4);
    }

    @Test
    void with_fewer_in_sync_than_required_nothing_is_committed_since_who_left_may_still_lead() {
        LeaderState leader = leader(10, 1, 2);
        fetched(leader, 2, 10, 10, 0);
        leader.require(2);

        leader.agreed(members(1, 1), 0);
        leader.stored(20, 0);
        assertThat(leader.highWatermark()).isEqualTo(10);
        fetched(leader, 2, 20, 20, 0);
        leader.agreed(members(2, 1, 2), 0);

        assertThat(leader.highWatermark()).isEqualTo(20);
    }

    @Test
    void a_partition_with_fewer_replicas_than_required_commits_with_those_it_has() {
        LeaderState leader =
                new LeaderState(1, EPOCH, new LeaderState.Members(0, List.of(1), List.of(1)), 0, 10, 10, 2, 0);

        assertThat(leader.highWatermark()).isEqualTo(10);
    }

    /** Stalls of a replica, looked for every 25 ms; one that is caught up asks again at once when there is something. */
    @Nested
    class Stalls {
        private static final long STALL_MS = 100;
        private static final LagLimits SHORT = new LagLimits(1_000_000, STALL_MS);
        private static final long LOOK_MS = 25;

        private final LeaderState leader = leader(0, 1, 2, 3);
        private long nowMs;
        private long end;
        private int version;
        private int changes;

        /** A record every 25 ms, which reaches the replicas that are named. */
        private void run(long forMs, Integer... awake) {
            for (long untilMs = nowMs + forMs; nowMs < untilMs; ) {
                nowMs += LOOK_MS;
                leader.stored(++end, nowMs);
                for (int replica : awake) {
                    fetched(leader, replica, end, end, nowMs);
                }
                LeaderState.Proposal wanted = leader.wanted(SHORT, ALL, nowMs);
                if (wanted != null) {
                    changes++;
                    leader.propose(wanted);
                    leader.agreed(members(++version, wanted.inSync().keySet().toArray(Integer[]::new)), nowMs);
                }
            }
        }

        @Test
        void a_replica_that_asks_for_nothing_is_left_out_as_long_as_enough_others_are_there() {
            run(100, 2, 3);
            assertThat(leader.inSync()).containsExactly(1, 2, 3);

            run(2 * STALL_MS, 3);
            assertThat(leader.inSync()).containsExactly(1, 3);

            run(20 * STALL_MS);
            assertThat(leader.inSync()).as("no majority without it").containsExactly(1, 3);
        }

        @Test
        void one_that_sleeps_again_and_again_is_left_out_once() {
            run(100, 2, 3);

            for (int i = 0; i < 12; i++) {
                run(3 * STALL_MS, 3);
                run(7 * STALL_MS, 2, 3);
            }

            assertThat(changes).isOne();
        }

        @Test
        void one_that_no_longer_stalls_is_let_in_again_after_a_time_that_grows() {
            run(100, 2, 3);
            run(2 * STALL_MS, 3);
            run(12 * STALL_MS, 2, 3);
            assertThat(leader.inSync()).as("after the first time").containsExactly(1, 2, 3);

            run(2 * STALL_MS, 3);
            run(12 * STALL_MS, 2, 3);
            assertThat(leader.inSync()).as("after the second time").containsExactly(1, 3);
            run(10 * STALL_MS, 2, 3);

            assertThat(leader.inSync()).containsExactly(1, 2, 3);
        }

        @Test
        void one_that_is_needed_is_let_in_at_once() {
            run(100, 2, 3);
            run(2 * STALL_MS, 3);

            leader.agreed(members(++version, 1), nowMs);
            run(LOOK_MS, 2);

            assertThat(leader.inSync()).containsExactly(1, 2);
        }

        @Test
        void one_whose_process_is_another_one_has_stalled_for_nobody() {
            run(100, 2, 3);
            run(2 * STALL_MS, 3);

            leader.fetched(2, 21, end, end, nowMs);

            assertThat(leader.wanted(SHORT, ALL, nowMs).inSync()).containsOnlyKeys(1, 2, 3);
        }

        @Test
        void one_that_is_throttled_is_let_in_again_although_it_asks_rarely() {
            run(100, 2, 3);
            run(2 * STALL_MS, 3);
            leader.throttle(replica -> replica == 2);

            for (int i = 0; i < 4; i++) {
                run(3 * STALL_MS, 3);
                run(LOOK_MS, 2, 3);
            }

            assertThat(leader.inSync()).containsExactly(1, 2, 3);
        }

        @Test
        void how_long_one_was_waiting_before_it_was_in_sync_is_not_held_against_it() {
            leader.agreed(members(++version, 1, 3), nowMs);
            run(5 * STALL_MS, 3);

            leader.agreed(members(++version, 1, 2, 3), nowMs);

            assertThat(leader.wanted(SHORT, ALL, nowMs)).isNull();
        }

        @Test
        void a_leader_that_has_slept_itself_leaves_nobody_out() {
            run(100, 2, 3);
            leader.stored(++end, nowMs);
            nowMs += 30 * STALL_MS;

            assertThat(leader.wanted(SHORT, ALL, nowMs)).isNull();
        }
    }
}
