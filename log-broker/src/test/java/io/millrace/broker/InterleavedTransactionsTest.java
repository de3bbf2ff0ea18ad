package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Calls.Sender;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Producers whose transactions overlap on one partition; a reader never sees aborted or unfinished records. */
class InterleavedTransactionsTest {
    private static final int STEPS = 500;
    private static final int PRODUCERS = 3;
    private static final int TIMEOUT_MS = 600_000;
    private static final int PAUSE_MS = 2_000;

    private enum Fate {
        OPEN,
        COMMITTED,
        ABORTED
    }

    /** What was sent, in the order of the log. */
    private final List<Sent> log = new ArrayList<>();

    private final List<Producer> producers = new ArrayList<>();

    @ParameterizedTest
    @MethodSource("seeds")
    void a_reader_of_committed_records_sees_what_was_committed_in_the_order_of_the_log(long seed) {
        Random random = new Random(seed);
        SimBroker broker = new SimBroker(seed, Map.of());
        SimClientSteps steps = new SimClientSteps(broker.client());
        steps.createTopic("t", 1);
        for (int i = 0; i < PRODUCERS; i++) {
            producers.add(new Producer("tx" + i, steps));
        }
        ParkedReader reader = new ParkedReader(broker, "t");
        boolean restarts = seed % 2 == 0;

        for (int step = 0; step < STEPS; step++) {
            if (restarts && step % 100 == 50) {
                broker.killAndRestart();
                SimClientSteps again = new SimClientSteps(broker.client());
                producers.forEach(producer -> producer.steps = again);
                reader.connect();
            }
            producers.get(random.nextInt(PRODUCERS)).act(random);
            if (random.nextInt(10) == 0) {
                broker.world.runFor(PAUSE_MS);
                assertThat(reader.values()).as("seed %d, step %d", seed, step).isEqualTo(visible());
            } else {
                broker.world.runFor(random.nextInt(3));
                List<String> seen = reader.values();
                List<String> expected = visible();
                assertThat(seen)
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(expected.subList(0, Math.min(seen.size(), expected.size())));
            }
        }
        producers.forEach(producer -> producer.end(random.nextBoolean()));
        broker.world.runFor(PAUSE_MS);

        assertThat(reader.values()).as("seed %d", seed).isEqualTo(visible());
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 6);
    }

    /** Committed values before the first record of a transaction that is still open. */
    private List<String> visible() {
        return log.stream()
                .takeWhile(sent -> sent.fate != Fate.OPEN)
                .filter(sent -> sent.fate == Fate.COMMITTED)
                .map(sent -> sent.value)
                .toList();
    }

    private static final class Sent {
        private final String value;
        private Fate fate = Fate.OPEN;

        Sent(String value) {
            this.value = value;
        }
    }

    private final class Producer {
        private final String id;
        private final List<Sent> open = new ArrayList<>();
        private SimClientSteps steps;
        private long producerId;
        private int epoch;
        private int sent;

        Producer(String id, SimClientSteps steps) {
            this.id = id;
            this.steps = steps;
            InitProducerIdResponseData given = steps.init(id, TIMEOUT_MS);
            producerId = given.producerId();
            epoch = given.producerEpoch();
        }

        void act(Random random) {
            switch (random.nextInt(5)) {
                case 0 -> end(true);
                case 1 -> end(false);
                default -> send(1 + random.nextInt(3));
            }
        }

        private void send(int count) {
            String[] values = new String[count];
            Sender sender = new Sender(producerId, epoch, open.size());
            for (int i = 0; i < count; i++) {
                values[i] = id + "-" + sent++;
                Sent one = new Sent(values[i]);
                open.add(one);
                log.add(one);
            }
            SimClientSteps.check(steps.produce("t", id, sender, values).errorCode());
        }

        void end(boolean commit) {
            if (open.isEmpty()) {
                return;
            }
            EndTxnResponseData ended = steps.end(id, producerId, epoch, commit);
            SimClientSteps.check(ended.errorCode());
            producerId = ended.producerId();
            epoch = ended.producerEpoch();
            open.forEach(one -> one.fate = commit ? Fate.COMMITTED : Fate.ABORTED);
            open.clear();
        }
    }
}
