package io.millrace.acceptance.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.acceptance.fixture.TestPostgres;
import io.millrace.testbed.MillraceCluster;
import io.millrace.testbed.MillraceServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two processes of the flight job on a cluster of three brokers; at random moments one of the brokers or one of the
 * processes is killed with SIGKILL and comes back. {@code -Dmillrace.seconds=600} for the long version, {@code
 * -Dmillrace.seed=N} for the same choices again.
 */
class FlightJobAndBrokersKilledIT {
    private static final Logger LOG = LoggerFactory.getLogger(FlightJobAndBrokersKilledIT.class);
    private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("millrace.seconds", 15));
    private static final Duration LONGEST = Duration.ofSeconds(4);
    private static final int FLIGHTS_PER_SECOND = 300;

    private final long seed = Long.getLong("millrace.seed", System.nanoTime());
    private volatile long untilNanos;

    @Test
    void tables_equal_the_batch_computation() throws Exception {
        Path folder = Folders.create("flights-cluster");
        String database = TestPostgres.newDatabase("flights_cluster");
        LOG.info("{} s of kills, seed {}, everything in {}", TIME.toSeconds(), seed, folder);
        Random random = new Random(seed);
        Random forJobs = new Random(random.nextLong());
        ExecutorService killers = Executors.newFixedThreadPool(2);
        try (MillraceCluster cluster = MillraceCluster.start(folder, 3);
                FlightWork work = new FlightWork(cluster.bootstrap(), folder, database, 2, FLIGHTS_PER_SECOND)) {
            untilNanos = System.nanoTime() + TIME.toNanos();
            Future<Integer> brokers = killers.submit(() -> killBrokers(cluster, work, random));
            Future<Integer> jobs = killers.submit(() -> killJobs(work, forJobs));
            int brokerKills = brokers.get();
            int jobKills = jobs.get();

            FlightTables tables = work.finish();

            System.out.printf("%d brokers and %d jobs killed, %s%n", brokerKills, jobKills, tables);
            assertThat(tables.isExact()).as(tables::toString).isTrue();
        } finally {
            killers.shutdownNow();
        }
    }

    private boolean isOver() {
        return System.nanoTime() > untilNanos;
    }

    private int killBrokers(MillraceCluster cluster, FlightWork work, Random random) {
        int kills = 0;
        do {
            work.awaitFed(moment(random));
            MillraceServer victim = cluster.node(1 + random.nextInt(3));
            LOG.info("kills the broker at {}", victim.bootstrap());
            victim.killHard();
            kills++;
            work.awaitFed(moment(random));
            victim.startAgain();
            if (random.nextBoolean()) {
                cluster.awaitInSync(); // otherwise the next one may die while this one still copies
            }
        } while (!isOver());
        return kills;
    }

    private int killJobs(FlightWork work, Random random) {
        int kills = 0;
        do {
            work.killOne(random, LONGEST);
            kills++;
            LOG.info("has killed {} jobs", kills);
        } while (!isOver());
        return kills;
    }

    private static Duration moment(Random random) {
        return Duration.ofMillis(random.nextInt((int) LONGEST.toMillis()));
    }
}
