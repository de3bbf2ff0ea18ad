package io.millrace.acceptance.broker;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.testbed.MillraceServer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A broker that is alone is killed again and again under transactions and plain writes. */
class BrokerKilledUnderTransactionalLoadIT {
    private static final int KILLS = Integer.getInteger("millrace.broker.kills", 20);
    private static final long SEED = Long.getLong("millrace.seed", System.nanoTime());

    @Test
    void nothing_is_lost_doubled_torn_or_shown_too_early() throws Exception {
        System.out.println("killing the broker " + KILLS + " times, -Dmillrace.seed=" + SEED);
        Random random = new Random(SEED);
        try (MillraceServer server =
                MillraceServer.start(Folders.create("killed-broker"), "log.flush.offset.checkpoint.interval.ms=500")) {
            LoadUnderFaults load = new LoadUnderFaults(server.bootstrap(), 1, random);
            load.start();
            for (int kill = 0; kill < KILLS; kill++) {
                load.awaitProgress("kill " + kill, random);
                server.killHard();
                server.startAgain();
            }
            System.out.println(KILLS + " kills, " + load.stopAndCheck(KILLS));
        }
    }
}
