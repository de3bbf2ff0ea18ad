package io.millrace.acceptance.broker;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.testbed.MillraceCluster;
import io.millrace.testbed.MillraceServer;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** One of three brokers after the other is killed, stopped, or paused under transactions and plain writes. */
class ClusterUnderFaultsIT {
    private static final int FAULTS = Integer.getInteger("millrace.cluster.faults", 6);
    private static final long SEED = Long.getLong("millrace.seed", System.nanoTime());
    private static final String SHORT_SESSION = "broker.session.timeout.ms=3000";
    private static final String OFTEN_ALIVE = "broker.heartbeat.interval.ms=500";

    @Test
    void nothing_is_lost_doubled_torn_or_shown_too_early() throws Exception {
        System.out.println(FAULTS + " faults, -Dmillrace.seed=" + SEED);
        Random random = new Random(SEED);
        Map<Fault, Integer> done = new EnumMap<>(Fault.class);
        try (MillraceCluster cluster =
                MillraceCluster.start(Folders.create("cluster"), 3, SHORT_SESSION, OFTEN_ALIVE)) {
            LoadUnderFaults load = new LoadUnderFaults(cluster.bootstrap(), 3, random);
            load.start();
            for (int i = 0; i < FAULTS; i++) {
                load.awaitProgress("fault " + i, random);
                MillraceServer victim = cluster.node(1 + random.nextInt(3));
                Fault fault = Fault.values()[i % Fault.values().length];
                done.merge(fault, 1, Integer::sum);
                fault.begin(victim);
                load.awaitProgress("fault " + i + " (" + fault + ") with a broker away", random);
                fault.end(victim);
                cluster.awaitInSync();
            }
            System.out.println(done + ", " + load.stopAndCheck(FAULTS));
        }
    }

    private enum Fault {
        KILL {
            @Override
            void begin(MillraceServer server) {
                server.killHard();
            }

            @Override
            void end(MillraceServer server) {
                server.startAgain();
            }
        },
        /** It is cut off in the middle of what it does, others take over, and it wakes up as if nothing had happened. */
        PAUSE {
            @Override
            void begin(MillraceServer server) {
                server.pause();
            }

            @Override
            void end(MillraceServer server) {
                server.resume();
            }
        },
        STOP {
            @Override
            void begin(MillraceServer server) {
                server.stop();
            }

            @Override
            void end(MillraceServer server) {
                server.startAgain();
            }
        };

        abstract void begin(MillraceServer server);

        abstract void end(MillraceServer server);
    }
}
