package io.millrace.broker.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.kernel.sim.SimDisk;
import io.millrace.kernel.sim.SimWorld;
import org.junit.jupiter.api.Test;

class ReplicationQuotaTest {
    private final SimWorld world = new SimWorld(1);
    private long bytesPerSecond = 1_000;
    private final ReplicationQuota quota =
            new ReplicationQuota(world.host(new SimDisk()).clock(), () -> bytesPerSecond);

    @Test
    void nothing_waits_before_anything_was_copied() {
        assertThat(quota.waitMs()).isZero();
    }

    @Test
    void what_was_copied_is_waited_for_as_long_as_it_takes_at_the_rate() {
        quota.copied(5_000);
        assertThat(quota.waitMs()).isEqualTo(5_000);

        world.runFor(4_000);
        assertThat(quota.waitMs()).isEqualTo(1_000);

        world.runFor(1_000);
        assertThat(quota.waitMs()).isZero();
    }

    @Test
    void what_several_threads_copy_adds_up() {
        quota.copied(1_000);
        world.runFor(500);
        quota.copied(1_000);

        assertThat(quota.waitMs()).isEqualTo(1_500);
    }

    @Test
    void time_in_which_nothing_was_copied_is_not_saved_up() {
        world.runFor(60_000);
        quota.copied(2_000);

        assertThat(quota.waitMs()).isEqualTo(2_000);
    }

    @Test
    void another_rate_holds_at_once() {
        quota.copied(10_000);

        bytesPerSecond = 10_000;
        assertThat(quota.waitMs()).isEqualTo(1_000);
        bytesPerSecond = Long.MAX_VALUE;
        assertThat(quota.waitMs()).isZero();
    }

    @Test
    void a_rate_of_nothing_never_ends() {
        bytesPerSecond = 0;
        assertThat(quota.waitMs()).isZero();

        quota.copied(1);
        world.runFor(1_000_000);

        assertThat(quota.waitMs()).isEqualTo(Long.MAX_VALUE);
    }
}
