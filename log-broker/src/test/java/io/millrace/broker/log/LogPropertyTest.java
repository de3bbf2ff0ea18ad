package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.Appended.Duplicate;
import io.millrace.broker.log.LogModel.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;

/** Random lives of a log, crashes included, compared with a model after every step. */
class LogPropertyTest {
    private static final int STEPS = 250;
    private static final int PRODUCERS = 4;

    private final long seed = ThreadLocalRandom.current().nextLong();
    private final Random random = new Random(seed);
    private final LogFixture fixture = new LogFixture();
    private final LogModel model = new LogModel();
    private final List<String> steps = new ArrayList<>();
    private long safeUpTo;
    private int nextValue;
    private Checkpointing underWay;
    private boolean hasRun;
    private long safeWhenComplete;

    @RepeatedTest(60)
    void a_log_behaves_like_a_list_whatever_happens() {
        for (int i = 0; i < STEPS; i++) {
            step();
            compare();
        }
    }

    private void step() {
        fixture.nowMs += random.nextInt(1000);
        switch (random.nextInt(30)) {
            case 0 -> say("kill", this::kill);
            case 1 -> say("cut power", this::cutPower);
            case 2 -> say("restart", this::restart);
            case 3 -> say("checkpoint", this::checkpoint);
            case 4 -> say("force", this::force);
            case 5 -> say("truncate", this::truncate);
            case 6, 7, 8 -> say("commit", () -> end(Kind.COMMIT));
            case 9, 10, 11 -> say("abort", () -> end(Kind.ABORT));
            case 12 -> say("repeat", this::repeat);
            case 16, 17 -> say("begin checkpoint", this::beginCheckpoint);
            case 18, 19 -> say("run checkpoint", this::runCheckpoint);
            case 20 -> say("complete checkpoint", this::completeCheckpoint);
            case 13, 14, 15 -> say("plain", this::appendPlain);
            default -> say("sequenced", this::appendSequenced);
        }
    }

    private void say(String what, Runnable step) {
        steps.add(what + "@" + model.endOffset());
        step.run();
    }

    private void kill() {
        underWay = null;
        fixture.kill();
    }

    private void restart() {
        underWay = null;
        fixture.restartCleanly();
        safeUpTo = model.endOffset();
    }

    private void cutPower() {
        underWay = null;
        fixture.cutPower();
        assertThat(fixture.log.endOffset()).as(story()).isBetween(safeUpTo, model.endOffset());
        model.truncateTo(fixture.log.endOffset());
    }

    private void checkpoint() {
        underWay = null;
        fixture.log.checkpoint();
        if (random.nextBoolean()) {
            fixture.written = fixture.log.lastCheckpoint();
        }
        safeUpTo = model.endOffset();
    }

    private void beginCheckpoint() {
        underWay = fixture.log.beginCheckpoint();
        safeWhenComplete = model.endOffset();
        hasRun = false;
    }

    private void runCheckpoint() {
        if (underWay != null) {
            underWay.run();
            hasRun = true;
        }
    }

    private void completeCheckpoint() {
        if (underWay != null && hasRun) {
            fixture.log.completeCheckpoint(underWay);
            safeUpTo = Math.max(safeUpTo, safeWhenComplete);
            underWay = null;
        }
    }

    private void force() {
        fixture.log.force();
        safeUpTo = model.endOffset();
    }

    private void truncate() {
        long to = Math.max(0, model.endOffset() - random.nextInt(30));
        fixture.log.truncateTo(to, fixture.nowMs);
        model.truncateTo(to);
        safeUpTo = Math.min(safeUpTo, model.endOffset());
        safeWhenComplete = Math.min(safeWhenComplete, model.endOffset());
        if (random.nextBoolean()) {
            fixture.written = fixture.log.lastCheckpoint();
        }
    }

    private List<String> newValues() {
        return IntStream.range(0, 1 + random.nextInt(3))
                .mapToObj(i -> "v" + nextValue++ + "x".repeat(random.nextInt(60)))
                .toList();
    }

    private void appendPlain() {
        List<String> values = newValues();
        fixture.append(values.toArray(String[]::new));
        model.add(Kind.DATA, values, -1, -1, false);
    }

    private void appendSequenced() {
        long producer = random.nextInt(PRODUCERS);
        boolean transactional = model.open().contains(producer) || (producer > 0 && random.nextBoolean());
        List<String> values = newValues();
        int sequence = model.nextSequence(producer);
        LogFixture.accepted(fixture.send(sequenced(producer, sequence, values, transactional)));
        model.add(Kind.DATA, values, producer, sequence, transactional);
    }

    private ByteBuffer sequenced(long producer, int sequence, List<String> values, boolean transactional) {
        BatchBuilder batch = fixture.batch(values.toArray(String[]::new)).producer(producer, (short) 0, sequence);
        return (transactional ? batch.transactional() : batch).build();
    }

    private void repeat() {
        List<LogModel.Batch> sent = model.sequenced(random.nextInt(PRODUCERS));
        int back = 1 + random.nextInt(5);
        if (sent.size() >= back) {
            LogModel.Batch batch = sent.get(sent.size() - back);
            ByteBuffer again = sequenced(batch.producerId(), batch.sequence(), batch.values(), batch.transactional());
            assertThat(fixture.send(again))
                    .as(story())
                    .isEqualTo(new Duplicate(batch.firstOffset(), batch.endOffset() - 1, -1));
        }
    }

    private void end(Kind kind) {
        long producer = random.nextInt(PRODUCERS);
        if (model.open().contains(producer)) {
            TransactionMarker marker = new TransactionMarker(producer, (short) 0, kind == Kind.COMMIT, 1, false);
            LogFixture.accepted(fixture.log.endTransaction(marker, EPOCH, fixture.nowMs));
            model.add(kind, List.of("marker"), producer, -1, true);
        }
    }

    private void compare() {
        assertThat(fixture.log.endOffset()).as(story()).isEqualTo(model.endOffset());
        assertThat(fixture.values()).as(story()).isEqualTo(model.values());
        assertThat(fixture.view().lastStableOffset()).as(story()).isEqualTo(model.lastStableOffset());
        assertThat(committed(fixture.view())).as(story()).isEqualTo(model.committed());
    }

    private List<String> committed(ReadView view) {
        return CommittedReader.read(view, 100 + random.nextInt(2000)).stream()
                .map(CommittedReader.KeyAndValue::value)
                .toList();
    }

    private String story() {
        return "seed " + seed + ", batches " + model.counts() + ", steps " + steps;
    }
}
