package io.millrace.acceptance.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.acceptance.fixture.TestPostgres;
import io.millrace.acceptance.jobs.FlightTables;
import io.millrace.acceptance.jobs.FlightWork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One broker after the other is killed, stopped, paused or cut off under transactions and plain writes. {@code
 * -Dmillrace.cluster.faults=N} for more of them; {@code -Dmillrace.cluster.minutes=N} for the long form with all kinds of
 * faults that this machine permits, {@code -Dmillrace.faults=KILL,STOP} for some of them, and a job beside the other load.
 */
class ClusterUnderFaultsIT {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterUnderFaultsIT.class);
    private static final int FAULTS = Integer.getInteger("millrace.cluster.faults", 6);
    private static final int MINUTES = Integer.getInteger("millrace.cluster.minutes", 0);
    private static final long SEED = Long.getLong("millrace.seed", System.nanoTime());
    private static final List<Fault> SHORT = List.of(Fault.KILL, Fault.PAUSE, Fault.STOP);
    private static final int FLIGHTS_PER_SECOND = 50;

    private final Random random = new Random(SEED);
    private final FaultTimes times = new FaultTimes();
    private int done;

    @Test
    void nothing_is_lost_doubled_torn_or_shown_too_early() throws Exception {
        System.out.println("-Dmillrace.seed=" + SEED);
        Path folder = Folders.create("cluster");
        if (MINUTES == 0) {
            shortForm(folder);
        } else {
            longForm(folder);
        }
        System.out.print(times.text());
    }

    private void shortForm(Path folder) throws Exception {
        try (FaultBed bed = FaultBed.small(folder)) {
            LoadUnderFaults load = new LoadUnderFaults(bed.cluster().bootstrap(), 3, random);
            load.start();
            while (done < FAULTS) {
                inflict(SHORT.get(done % SHORT.size()), bed, load);
            }
            System.out.println(done + " faults, " + load.stopAndCheck(FAULTS));
        }
    }

    private void longForm(Path folder) throws Exception {
        long untilNanos = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos();
        String database = TestPostgres.newDatabase("cluster_faults");
        try (FaultBed bed = FaultBed.full(folder);
                FlightWork work = new FlightWork(bed.cluster().bootstrap(), folder, database, 1, FLIGHTS_PER_SECOND)) {
            List<Fault> faults = Fault.toInflict(bed, Fault.values());
            System.out.println("everything in " + folder + ", faults " + faults);
            bed.missing().forEach(line -> System.out.println("NOT DONE HERE: " + line));
            LoadUnderFaults load = new LoadUnderFaults(bed.cluster().bootstrap(), 3, random);
            load.start();
            while (System.nanoTime() < untilNanos) {
                inflict(faults.get(done % faults.size()), bed, load);
            }
            System.out.println(done + " faults, " + load.stopAndCheck(done));
            FlightTables tables = work.finish();
            System.out.println("the job beside it: " + tables);
            assertThat(tables.isExact()).as(tables::toString).isTrue();
            bed.missing().forEach(line -> System.out.println("NOT DONE HERE: " + line));
        }
    }

    private void inflict(Fault fault, FaultBed bed, LoadUnderFaults load) {
        String name = "fault " + done + " (" + fault + ")";
        load.awaitProgress("all before " + name, random);
        int nodes = bed.cluster().nodes().size();
        int victim = random.nextBoolean() ? load.leader() : 1 + random.nextInt(nodes);
        LOG.info("{} on node {}", name, victim);
        load.beginTiming();
        Runnable end = fault.begin(bed, victim);
        if (fault.loadGoesOnMeanwhile()) {
            load.awaitProgress(name + " with a broker away", random);
        }
        end.run();
        load.awaitProgress(name + " is over", random);
        times.add(fault, load.longestMs());
        bed.cluster().awaitInSync();
        bed.cluster().electPreferredLeaders();
        done++;
    }
}
