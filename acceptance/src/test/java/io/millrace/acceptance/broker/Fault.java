package io.millrace.acceptance.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testbed.MillraceServer;
import io.millrace.testbed.NetworkNamespaces;
import io.millrace.testbed.SmallDisk;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.TopicPartition;

/** What happens to a broker, and how it ends. */
enum Fault {
    KILL {
        @Override
        Runnable begin(FaultBed bed, int victim) {
            MillraceServer server = bed.cluster().node(victim);
            server.killHard();
            return server::startAgain;
        }
    },
    /** It is cut off in the middle of what it does, others take over, and it wakes up as if nothing had happened. */
    PAUSE {
        @Override
        Runnable begin(FaultBed bed, int victim) {
            MillraceServer server = bed.cluster().node(victim);
            server.pause();
            return server::resume;
        }
    },
    STOP {
        @Override
        Runnable begin(FaultBed bed, int victim) {
            MillraceServer server = bed.cluster().node(victim);
            server.stop();
            return server::startAgain;
        }
    },
    /** As long as a bad garbage collection, far shorter than a session: no leader may move for it. */
    SHORT_PAUSE {
        @Override
        Runnable begin(FaultBed bed, int victim) {
            Map<TopicPartition, Integer> before = bed.cluster().leaders();
            MillraceServer server = bed.cluster().node(victim);
            long pausedNanos = System.nanoTime();
            server.pause();
            LockSupport.parkNanos(Duration.ofMillis(700).toNanos());
            server.resume();
            Duration paused = Duration.ofNanos(System.nanoTime() - pausedNanos);
            return () -> {
                // on a busy machine it may have become a long one
                if (paused.compareTo(Duration.ofSeconds(1)) < 0) {
                    assertThat(bed.cluster().leaders())
                            .as("leaders after node %d stood still for %d ms", victim, paused.toMillis())
                            .isEqualTo(before);
                }
            };
        }
    },
    /** Every broker in turn, each when the one before is in sync again, as at an upgrade. */
    ROLLING_RESTART {
        @Override
        Runnable begin(FaultBed bed, int victim) {
            for (MillraceServer server : bed.cluster().nodes()) {
                server.stop();
                server.startAgain();
                bed.cluster().awaitInSync();
            }
            return () -> {};
        }
    },
    RACK_LOST {
        @Override
        Runnable begin(FaultBed bed, int victim) {
            List<MillraceServer> rack =
                    bed.rackOf(victim).stream().map(bed.cluster()::node).toList();
            rack.forEach(MillraceServer::killHard);
            return () -> {
                rack.forEach(MillraceServer::launch);
                rack.forEach(MillraceServer::awaitAnswer);
            };
        }

        @Override
        boolean isPossible(FaultBed bed) {
            return bed.hasRacks();
        }
    },
    /** Neither brokers nor clients reach it, and it reaches nobody. */
    CUT_OFF {
        @Override
        Runnable begin(FaultBed bed, int victim) {
            NetworkNamespaces networks = bed.networks();
            cut(bed, victim, true, true);
            networks.cut(NetworkNamespaces.HERE, victim);
            networks.cut(victim, NetworkNamespaces.HERE);
            return networks::heal;
        }

        @Override
        boolean isPossible(FaultBed bed) {
            return bed.hasNetworks();
        }
    },
    /** Clients reach it, brokers do not: it could go on as a leader that knows nothing of its successor. */
    CUT_FROM_BROKERS {
        @Override
        Runnable begin(FaultBed bed, int victim) {
            cut(bed, victim, true, true);
            return bed.networks()::heal;
        }

        @Override
        boolean isPossible(FaultBed bed) {
            return bed.hasNetworks();
        }
    },
    /** It hears everybody, and nobody hears it. */
    CUT_OUTWARDS {
        @Override
        Runnable begin(FaultBed bed, int victim) {
            cut(bed, victim, true, false);
            bed.networks().cut(victim, NetworkNamespaces.HERE);
            return bed.networks()::heal;
        }

        @Override
        boolean isPossible(FaultBed bed) {
            return bed.hasNetworks();
        }
    },
    /** Everybody hears it, and it hears nobody. */
    CUT_INWARDS {
        @Override
        Runnable begin(FaultBed bed, int victim) {
            cut(bed, victim, false, true);
            bed.networks().cut(NetworkNamespaces.HERE, victim);
            return bed.networks()::heal;
        }

        @Override
        boolean isPossible(FaultBed bed) {
            return bed.hasNetworks();
        }
    },
    /** Not one more byte for its logs and for the metadata; who leads there may refuse all the while. */
    DISK_FULL {
        @Override
        Runnable begin(FaultBed bed, int victim) {
            SmallDisk disk = bed.disk(victim);
            disk.fill();
            LockSupport.parkNanos(Duration.ofSeconds(8).toNanos());
            return disk::empty;
        }

        @Override
        boolean isPossible(FaultBed bed) {
            return bed.hasDisks();
        }

        @Override
        boolean loadGoesOnMeanwhile() {
            return false;
        }
    };

    private static final String WANTED = System.getProperty("millrace.faults", "");

    /** @return what ends it */
    abstract Runnable begin(FaultBed bed, int victim);

    boolean isPossible(FaultBed bed) {
        return true;
    }

    /** Whether those who write to the cluster need not wait for the end. */
    boolean loadGoesOnMeanwhile() {
        return true;
    }

    /** Of some faults, those that can happen here; {@code -Dmillrace.faults=KILL,STOP} for some of them alone. */
    static List<Fault> toInflict(FaultBed bed, Fault... among) {
        List<Fault> wanted = WANTED.isEmpty()
                ? List.of(among)
                : Arrays.stream(WANTED.split(","))
                        .map(Fault::valueOf)
                        .toList(); // a wrong name would do nothing, and pass
        return Arrays.stream(among)
                .filter(wanted::contains)
                .filter(fault -> fault.isPossible(bed))
                .toList();
    }

    private static void cut(FaultBed bed, int victim, boolean outwards, boolean inwards) {
        for (int other : bed.others(victim)) {
            if (outwards) {
                bed.networks().cut(victim, other);
            }
            if (inwards) {
                bed.networks().cut(other, victim);
            }
        }
    }
}
