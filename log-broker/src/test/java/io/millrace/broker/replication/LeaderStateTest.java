package io.millrace.broker.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.kernel.Check;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LeaderStateTest {

    private static LeaderState leader(long ownEnd, Integer... inSync) {
        return new LeaderState(1, 5, new TreeSet<>(List.of(inSync)), 0, ownEnd);
    }

    @Test
    void a_leader_alone_commits_what_it_has_stored() {
        LeaderState leader = leader(10, 1);

        assertThat(leader.highWatermark()).isEqualTo(10);
        assertThat(leader.stored(12)).isTrue();
        assertThat(leader.highWatermark()).isEqualTo(12);
    }

    @Test
    void a_record_is_committed_when_every_in_sync_replica_has_it() {
        LeaderState leader = leader(10, 1, 2, 3);

        assertThat(leader.replicated(2, 8)).isFalse();
        assertThat(leader.highWatermark()).isZero();
        assertThat(leader.replicated(3, 6)).isTrue();
        assertThat(leader.highWatermark()).isEqualTo(6);
    }

    @Test
    void the_high_watermark_never_moves_back() {
        LeaderState leader = leader(10, 1, 2);
        leader.replicated(2, 9);

        leader.replicated(2, 3);

        assertThat(leader.highWatermark()).isEqualTo(9);
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
}
