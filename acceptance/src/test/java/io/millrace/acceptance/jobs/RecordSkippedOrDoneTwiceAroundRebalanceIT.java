package io.millrace.acceptance.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.streams.runtime.RunningJob;
import io.millrace.testbed.ChildProcess;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RecordSkippedOrDoneTwiceAroundRebalanceIT {
    private static final String NAME = "rebalance";
    private static final int KEYS = 50;
    private static final int ROUNDS = 6;
    private static final int PER_ROUND = 2_000;

    @RegisterExtension
    final JobBed bed = new JobBed();

    @Test
    void counts_are_exact_while_members_join_leave_and_die() {
        bed.topics().create(CountingJob.in(NAME).name(), 4);
        RunningJob first = bed.start(CountingJob.job(NAME), bed.settings(NAME).workers(2));
        for (int round = 0; round < ROUNDS; round++) {
            produce();
            if (round % 2 == 0) {
                try (RunningJob second = bed.start(CountingJob.job(NAME))) {
                    produce();
                    second.awaitCaughtUp(JobBed.PATIENCE);
                }
            } else {
                dieYoung();
            }
        }
        first.awaitCaughtUp(JobBed.PATIENCE);

        long all = bed.topics().readRaw(CountingJob.in(NAME).name()).size();
        Map<String, Long> counts = bed.topics().latest(CountingJob.out(NAME));
        assertThat(counts.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(all);
        assertThat(bed.topics().readRaw(CountingJob.out(NAME).name())).hasSize((int) all);
    }

    private void dieYoung() {
        Path dir = Folders.create(NAME);
        ChildProcess child = ChildProcess.ofOwnClass(
                CountingJob.class,
                dir.resolve("output"),
                NAME,
                "--bootstrap",
                bed.bootstrap(),
                "--state",
                dir.toString());
        try (child) {
            produce();
            child.awaitExit(java.time.Duration.ofSeconds(2));
            child.killHard();
        }
    }

    private void produce() {
        for (int number = 0; number < PER_ROUND; number++) {
            bed.topics().send(CountingJob.in(NAME), "key-" + number % KEYS, "");
        }
        bed.topics().flush();
    }
}
