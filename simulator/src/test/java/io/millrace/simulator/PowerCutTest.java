package io.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.kernel.sim.SimDisk;
import io.millrace.simulator.cluster.Broker;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The power of a follower is cut, and a byte of its log changes that no checksum covers. */
class PowerCutTest {
    private static final Path LOG = Broker.DATA.resolve("t-0/00000000000000000000.log");
    private static final int LENGTH_POSITION = 8;
    private static final int EPOCH_POSITION = 12;
    private static final int HEAD_BYTES = 12;
    private static final int OF_FIRST_EPOCH = 3;
    private static final int OF_SECOND_EPOCH = 3;
    private static final long UNTIL_ALL_IS_FORCED_MS = 1_000;

    private final ClusterFixture fixture = new ClusterFixture(Map.of(
            "default.replication.factor", "3",
            "min.insync.replicas", "2",
            "log.flush.policy", "force",
            "log.flush.offset.checkpoint.interval.ms", "600000"));

    @Test
    void the_epoch_of_a_batch_that_was_not_forced_becomes_again_what_it_was() {
        fixture.createTopic(3);
        append(OF_FIRST_EPOCH);
        Broker first = broker(fixture.partition().leader());
        first.kill();
        fixture.until(() -> fixture.partition().leader() != first.id());
        first.start();
        fixture.until(() -> fixture.partition().inSync().size() == 3);
        append(OF_SECOND_EPOCH);
        Broker leader = broker(fixture.partition().leader());
        Broker follower = broker(1 + leader.id() % 3);
        fixture.world.runFor(UNTIL_ALL_IS_FORCED_MS);

        follower.powerCut(new SplittableRandom(1));
        assertThat(log(follower)).as("what survives").isEqualTo(log(leader));
        follower.machine().disk().damage(LOG, PowerCutTest::withTheFirstEpochForOneMore);
        fixture.until(() -> !fixture.partition().inSync().contains(follower.id()));
        follower.start();
        fixture.until(() -> fixture.partition().inSync().contains(follower.id()));

        assertThat(log(follower)).isEqualTo(log(leader));
    }

    private void append(int times) {
        for (int i = 0; i < times; i++) {
            fixture.append(1);
        }
    }

    private Broker broker(int id) {
        return fixture.cluster.brokers().get(id - 1);
    }

    private static byte[] log(Broker broker) {
        SimDisk disk = broker.machine().disk();
        return disk.readFully(LOG);
    }

    /** The first batch of the second epoch takes the epoch of those before it. */
    private static byte[] withTheFirstEpochForOneMore(byte[] log) {
        ByteBuffer batches = ByteBuffer.wrap(log);
        int position = 0;
        for (int i = 0; i < OF_FIRST_EPOCH; i++) {
            position += HEAD_BYTES + batches.getInt(position + LENGTH_POSITION);
        }
        int epoch = batches.getInt(EPOCH_POSITION);
        assertThat(batches.getInt(position + EPOCH_POSITION)).isGreaterThan(epoch);
        batches.putInt(position + EPOCH_POSITION, epoch);
        return log;
    }
}
