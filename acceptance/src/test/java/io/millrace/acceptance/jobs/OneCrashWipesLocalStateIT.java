package io.millrace.acceptance.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.streams.runtime.RunningJob;
import io.millrace.testbed.ChildProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code -Dmillrace.keys=300000} for the long version. */
class OneCrashWipesLocalStateIT {
    private static final Logger LOG = LoggerFactory.getLogger(OneCrashWipesLocalStateIT.class);
    private static final int KEYS = Integer.getInteger("millrace.keys", 60_000);
    private static final String NAME = "crash-state";

    @RegisterExtension
    final JobBed bed = new JobBed();

    @Test
    void restart_replays_at_most_the_last_two_commit_intervals() {
        Path dir = Folders.create(NAME);
        bed.topics().create(CountingJob.in(NAME).name(), 1);
        produce();
        ChildProcess busy = ChildProcess.ofOwnClass(
                CountingJob.class,
                dir.resolve("output"),
                NAME,
                "--bootstrap",
                bed.bootstrap(),
                "--state",
                dir.toString());
        try (busy) {
            await().atMost(JobBed.PATIENCE).until(() -> committed() > KEYS / 2);
            busy.killHard();
        }
        produce();

        long startNanos = System.nanoTime();
        RunningJob restarted = bed.start(CountingJob.job(NAME), bed.settings(dir));
        await().atMost(Duration.ofSeconds(30))
                .until(() -> restarted.status().counts().commits() > 0);
        long restartMs = (System.nanoTime() - startNanos) / 1_000_000;
        long replayed = restarted.status().counts().restored();
        restarted.awaitCaughtUp(Duration.ofMinutes(3));

        LOG.info("{} keys: {} records replayed, first commit {} ms after the start", KEYS, replayed, restartMs);
        assertThat(replayed).isLessThanOrEqualTo(2L * largestInterval());
        assertThat(restartMs).isLessThan(5000);
        Map<String, Long> counts = bed.topics().latest(CountingJob.out(NAME));
        assertThat(counts).hasSize(KEYS);
        assertThat(new TreeMap<>(counts).values()).containsOnly(2L);
        assertThat(bed.topics().readRaw(CountingJob.out(NAME).name())).hasSize(2 * KEYS);
    }

    private void produce() {
        for (int key = 0; key < KEYS; key++) {
            bed.topics().send(CountingJob.in(NAME), "key-" + key, "");
        }
        bed.topics().flush();
    }

    private long committed() {
        return bed.topics().committed(NAME, CountingJob.in(NAME).name()).getOrDefault(0, 0L);
    }

    /** Between the records of two transactions stands a marker, so the offsets have a gap there. */
    private int largestInterval() {
        List<Integer> sizes = new ArrayList<>();
        long expected = -1;
        int size = 0;
        for (ConsumerRecord<byte[], byte[]> record : bed.topics().readRaw(CountingJob.changelog(NAME))) {
            if (record.offset() != expected) {
                sizes.add(size);
                size = 0;
            }
            size++;
            expected = record.offset() + 1;
        }
        sizes.add(size);
        return sizes.stream().mapToInt(Integer::intValue).max().orElse(0);
    }
}
