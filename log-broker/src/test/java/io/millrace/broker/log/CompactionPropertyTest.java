package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.EPOCH;
import static io.millrace.broker.log.LogFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.CommittedReader.KeyAndValue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.RepeatedTest;

/** Random lives of a compacted log with transactions: a table built from it is always the same as one that saw it all. */
class CompactionPropertyTest {
    private static final int STEPS = 600;
    private static final int KEYS = 25;
    private static final long PRODUCERS = 4;

    private final long seed = ThreadLocalRandom.current().nextLong();
    private final Random random = new Random(seed);
    private final LogFixture fixture = new LogFixture();
    private final List<Written> written = new ArrayList<>();
    private final Map<Long, Integer> sequences = new HashMap<>();
    private final Map<Long, Transaction> open = new HashMap<>();
    private long compactions;

    private static final class Transaction {
        private boolean ended;
        private boolean committed;
    }

    /** @param transaction null for none */
    private record Written(long offset, String key, String value, Transaction transaction) {
        boolean isCommitted() {
            return transaction == null || transaction.committed;
        }

        boolean isOpen() {
            return transaction != null && !transaction.ended;
        }
    }

    @RepeatedTest(25)
    void a_table_built_from_the_log_is_that_of_one_that_saw_every_record() {
        fixture.settings(fixture.settings
                .withSegments(new LogSettings.Segments(1200, 3_600_000, 150, 1 << 20))
                .withCompaction(new LogSettings.Compaction(true, 0, 5_000, 0, Long.MAX_VALUE))
                .withRetention(new LogSettings.Retention(false, -1, -1, 3_000)));

        for (int i = 0; i < STEPS; i++) {
            step();
            if (i % 10 == 0) {
                compare();
            }
            if (i % 50 == 0) {
                compareReplica();
            }
        }
        compare();
        assertThat(compactions).isPositive();
    }

    private void step() {
        fixture.nowMs += random.nextInt(200);
        switch (random.nextInt(20)) {
            case 0 -> fixture.kill();
            case 1 -> fixture.restartCleanly();
            case 13 -> forceAndCutPower();
            case 2, 3 -> fixture.checkpoint();
            case 4, 5, 6, 7, 8 -> compact();
            case 9 -> fixture.log.deleteFilesDue(fixture.nowMs);
            case 10, 11, 12 -> end(random.nextInt((int) PRODUCERS));
            default -> append(random.nextInt((int) PRODUCERS + 1));
        }
    }

    private void forceAndCutPower() {
        fixture.log.force();
        fixture.cutPower();
    }

    private void compact() {
        if (fixture.log.compact(fixture.nowMs, fixture.log.endOffset(), 100 + random.nextInt(5000))) {
            compactions++;
        }
    }

    private void append(long producer) {
        String key = "key-" + random.nextInt(KEYS);
        String value = random.nextInt(6) == 0 ? null : "value-" + written.size();
        BatchBuilder batch = new BatchBuilder().add(fixture.nowMs, bytes(key), value == null ? null : bytes(value));
        Transaction transaction = null;
        if (producer < PRODUCERS) {
            int sequence = sequences.merge(producer, 1, Integer::sum) - 1;
            batch.producer(producer, (short) 0, sequence).transactional();
            transaction = open.computeIfAbsent(producer, id -> new Transaction());
        }
        long offset = LogFixture.accepted(fixture.send(batch.build())).firstOffset();
        written.add(new Written(offset, key, value, transaction));
    }

    private void end(long producer) {
        Transaction transaction = open.remove(producer);
        if (transaction != null) {
            transaction.ended = true;
            transaction.committed = random.nextBoolean();
            LogFixture.accepted(fixture.log.endTransaction(
                    new TransactionMarker(producer, (short) 0, transaction.committed, 1, false), EPOCH, fixture.nowMs));
        }
    }

    private void compare() {
        long stable = written.stream()
                .filter(Written::isOpen)
                .mapToLong(Written::offset)
                .min()
                .orElse(fixture.log.endOffset());
        Map<String, String> expected = new TreeMap<>();
        for (Written record : written) {
            if (record.offset() < stable && record.isCommitted()) {
                put(expected, record.key(), record.value());
            }
        }
        ReadView view = fixture.view();
        assertThat(view.lastStableOffset()).as("seed " + seed).isEqualTo(stable);
        Map<String, String> table = new TreeMap<>();
        for (KeyAndValue record : CommittedReader.read(view, 500)) {
            put(table, record.key(), record.value());
        }
        assertThat(table).as("seed " + seed).isEqualTo(expected);
    }

    /** One that starts from these bytes alone must see the same transactions, and know the same producers. */
    private void compareReplica() {
        ReadView view = fixture.view();
        LogFixture replica = new LogFixture();
        long next = 0;
        for (Slice slice = view.read(next, 1000, view.endOffset(), true);
                !slice.isEmpty();
                slice = view.read(next, 1000, view.endOffset(), true)) {
            ByteBuffer fetched = LogFixture.bytesOf(slice);
            LogFixture.accepted(replica.log.appendAsFollower(fetched, fixture.nowMs));
            next = replica.log.endOffset();
        }
        assertThat(replica.log.endOffset()).isEqualTo(view.endOffset());
        assertThat(replica.view().lastStableOffset()).as("seed " + seed).isEqualTo(view.lastStableOffset());
        assertThat(CommittedReader.read(replica.view(), 500))
                .as("seed " + seed)
                .isEqualTo(CommittedReader.read(view, 500));
        assertThat(replica.log.producers().stream()
                        .map(ProducerState::lastSequence)
                        .sorted()
                        .toList())
                .as("seed " + seed)
                .isEqualTo(fixture.log.producers().stream()
                        .map(ProducerState::lastSequence)
                        .sorted()
                        .toList());
    }

    private static void put(Map<String, String> table, String key, String value) {
        if (value == null) {
            table.remove(key);
        } else {
            table.put(key, value);
        }
    }
}
