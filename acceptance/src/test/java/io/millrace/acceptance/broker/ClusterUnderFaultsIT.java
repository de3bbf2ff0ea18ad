package io.millrace.acceptance.broker;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.testbed.MillraceCluster;
import io.millrace.testbed.MillraceServer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** One of three brokers after the other is killed or stopped under transactions and plain writes. */
class ClusterUnderFaultsIT {
    private static final int FAULTS = Integer.getInteger("millrace.cluster.faults", 12);
    private static final long SEED = Long.getLong("millrace.seed", System.nanoTime());

    @Test
    void nothing_is_lost_doubled_torn_or_shown_too_early() throws Exception {
        System.out.println(FAULTS + " faults, -Dmillrace.seed=" + SEED);
        Random random = new Random(SEED);
        try (MillraceCluster cluster = MillraceCluster.start(Folders.create("cluster"), 3)) {
            LoadUnderFaults load = new LoadUnderFaults(cluster.bootstrap(), 3, random);
            load.start();
            int kills = 0;
            for (int fault = 0; fault < FAULTS; fault++) {
                load.awaitProgress("fault " + fault, random);
                MillraceServer victim = cluster.node(1 + random.nextInt(3));
                boolean kill = random.nextInt(3) > 0;
                kills += kill ? 1 : 0;
                if (kill) {
                    victim.killHard();
                } else {
                    victim.stop();
                }
                load.awaitProgress("fault " + fault + " with a broker away", random);
                victim.startAgain();
                cluster.awaitInSync();
            }
            System.out.println(kills + " kills and " + (FAULTS - kills) + " stops, " + load.stopAndCheck(FAULTS));
        }
    }
}
