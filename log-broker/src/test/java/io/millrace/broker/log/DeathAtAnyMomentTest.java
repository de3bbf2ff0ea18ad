package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.EPOCH;
import static io.millrace.broker.log.LogFixture.FOLDER;
import static io.millrace.broker.log.LogFixture.accepted;
import static io.millrace.broker.log.LogFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.kernel.Disk;
import io.millrace.kernel.DiskException;
import io.millrace.kernel.sim.SimDisk;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The process dies, or the power goes, at each single change that a busy log makes to its files. */
class DeathAtAnyMomentTest {
    private static final long NOW_MS = 1_700_000_000_000L;
    private static final int ROUNDS = 4;
    private static final int KEYS = 7;
    private static final LogSettings SETTINGS = LogSettings.DEFAULTS
            .withSegments(new LogSettings.Segments(1000, 3_600_000, 200, 1 << 20))
            .withRetention(new LogSettings.Retention(false, -1, -1, 0))
            .withCompaction(new LogSettings.Compaction(true, 0, 0, 0, Long.MAX_VALUE));

    private SimDisk disk;
    private LogCheckpoint written;
    private long acknowledged;
    private long safe;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void no_acknowledged_record_is_lost(boolean powerCut) {
        long dieAfter = 0;
        boolean died = true;
        while (died) {
            died = lifeUntil(dieAfter);
            if (powerCut) {
                disk.crash();
            } else {
                disk.killOwner();
            }
            check("died after " + dieAfter + " changes", powerCut ? safe : acknowledged);
            dieAfter++;
        }
        assertThat(dieAfter).isGreaterThan(150);
    }

    /** @return whether it ended by death */
    private boolean lifeUntil(long dieAfter) {
        disk = new SimDisk();
        written = LogCheckpoint.NONE;
        acknowledged = 0;
        safe = 0;
        DyingDisk dying = new DyingDisk(disk);
        dying.dieAfter(dieAfter);
        try {
            live(open(dying, written, false));
        } catch (DiskException e) {
            assertThat(dying.isDead()).as(e.toString()).isTrue();
        }
        return dying.isDead();
    }

    private static PartitionLog open(Disk disk, LogCheckpoint written, boolean clean) {
        return PartitionLog.open(
                BareFolder.of(disk, FOLDER), SETTINGS, written, clean ? LastStop.CLEAN : LastStop.KILLED, NOW_MS);
    }

    private void live(PartitionLog log) {
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < 15; i++) {
                append(log);
            }
            log.force();
            safe = acknowledged;
            for (int i = 0; i < 5; i++) {
                append(log);
            }
            log.checkpoint();
            safe = acknowledged;
            if (round % 3 != 0) {
                written = log.lastCheckpoint();
            }
            while (log.compact(NOW_MS, log.endOffset(), 2000)) {
                append(log);
            }
            log.deleteFilesDue(NOW_MS);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_truncation_leaves_a_part_of_what_was_there(boolean powerCut) {
        boolean died = true;
        for (long dieAfter = 0; died; dieAfter++) {
            disk = new SimDisk();
            DyingDisk dying = new DyingDisk(disk);
            written = LogCheckpoint.NONE;
            PartitionLog log = open(dying, written, false);
            for (int i = 0; i < 60; i++) {
                append(log);
            }
            log.checkpoint();
            written = log.lastCheckpoint();
            dying.dieAfter(dieAfter);
            died = dies(() -> log.truncateTo(13, NOW_MS));
            if (powerCut) {
                disk.crash();
            } else {
                disk.killOwner();
            }

            check("died after " + dieAfter + " changes", 13);
        }
    }

    private static boolean dies(Runnable work) {
        try {
            work.run();
            return false;
        } catch (DiskException e) {
            return true;
        }
    }

    private void append(PartitionLog log) {
        long offset = log.endOffset();
        accepted(log.appendAsLeader(
                new BatchBuilder()
                        .add(NOW_MS, bytes("key-" + offset % KEYS), bytes("value-" + offset))
                        .producer(1, (short) 0, (int) offset)
                        .build(),
                EPOCH,
                Origin.CLIENT,
                NOW_MS));
        acknowledged = Math.max(acknowledged, log.endOffset());
    }

    private void check(String when, long atLeast) {
        PartitionLog log = open(disk, written, false);
        long end = log.endOffset();
        assertThat(end).as(when).isBetween(atLeast, acknowledged + 1);
        Map<String, String> expected = new LinkedHashMap<>();
        for (long offset = Math.max(0, end - KEYS); offset < end; offset++) {
            expected.put("key-" + offset % KEYS, "value-" + offset);
        }
        assertThat(latest(log)).as(when).containsExactlyInAnyOrderEntriesOf(expected);
        if (end > 0) {
            assertThat(log.producer(1).orElseThrow().lastSequence()).as(when).isEqualTo(end - 1);
        }
        append(log);
        log.close(true);
        PartitionLog again = open(disk, log.lastCheckpoint(), true);
        assertThat(again.endOffset()).as(when).isEqualTo(end + 1);
    }

    private static Map<String, String> latest(PartitionLog log) {
        ReadView view = log.view(log.endOffset(), log.endOffset());
        Map<String, String> latest = new LinkedHashMap<>();
        long next = 0;
        for (Slice slice = view.read(0, 1 << 20, view.endOffset(), true);
                !slice.isEmpty();
                slice = view.read(next, 1 << 20, view.endOffset(), true)) {
            for (RecordBatch batch : new RecordBatches(LogFixture.bytesOf(slice))) {
                next = batch.lastOffset() + 1;
                RecordReader records = new RecordReader(batch);
                while (records.next()) {
                    latest.put(
                            StandardCharsets.UTF_8.decode(records.key()).toString(),
                            StandardCharsets.UTF_8.decode(records.value()).toString());
                }
            }
        }
        assertThat(next).isEqualTo(log.endOffset());
        return latest;
    }
}
