package io.millrace.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.metadata.ControllerCommand.AlterPartitions;
import io.millrace.broker.metadata.ControllerCommand.AlterReassignments;
import io.millrace.broker.metadata.ControllerCommand.CreateTopic;
import io.millrace.broker.metadata.ControllerCommand.Heartbeat;
import io.millrace.broker.metadata.ControllerCommand.HeartbeatAnswer;
import io.millrace.broker.metadata.ControllerCommand.InSyncChange;
import io.millrace.broker.metadata.ControllerCommand.InSyncMember;
import io.millrace.broker.metadata.ControllerCommand.Reassignment;
import io.millrace.broker.metadata.ControllerCommand.RegisterBroker;
import io.millrace.broker.metadata.ControllerCommand.SetBroker;
import io.millrace.broker.metadata.ControllerCommand.SetTopic;
import io.millrace.broker.metadata.ControllerCommand.Suspect;
import io.millrace.broker.settings.BrokerSettings;
import io.millrace.kernel.Decision;
import io.millrace.kernel.Entropy;
import io.millrace.kernel.EventCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.Uuid;

/** A controller with a clock of its own; what it decides is recorded as in the metadata log. */
final class ControllerSteps {
    static final long SESSION_MS = 9_000;
    static final long BALANCE_MS = 300_000;

    private static final long BEAT_MS = 1_000;

    final List<EventCodec.Entry> journal = new ArrayList<>();
    private final MetadataCodec codec = new MetadataCodec();
    private final Random random;
    private final Entropy entropy;
    private Consumer<MetadataEvent> watcher = event -> {};
    private ControllerMachine machine;
    private long nowMs = 50_000;

    ControllerSteps() {
        this(1);
    }

    ControllerSteps(long seed) {
        this.random = new Random(seed);
        this.entropy = new Entropy() {
            @Override
            public long nextLong() {
                return random.nextLong();
            }

            @Override
            public int nextInt(int bound) {
                return random.nextInt(bound);
            }
        };
        takeOver(MetadataState.empty("cluster"));
    }

    /** Brokers 1 to n are active, each in a rack of its own. */
    static ControllerSteps withBrokers(int count) {
        ControllerSteps steps = new ControllerSteps();
        for (int id = 1; id <= count; id++) {
            steps.start(id, "rack" + id);
        }
        return steps;
    }

    /** Another node becomes the controller. */
    void takeOver() {
        takeOver(machine.state());
    }

    private void takeOver(MetadataState state) {
        ControllerTimes times = new ControllerTimes(SESSION_MS, true, BALANCE_MS);
        machine = new ControllerMachine(state, new TopicDefaults(1, Map.of()), entropy, times, nowMs);
    }

    /** Tells of each event after it has been applied. */
    void watch(Consumer<MetadataEvent> toTell) {
        watcher = toTell;
    }

    MetadataState state() {
        return machine.state();
    }

    ClusterImage image() {
        return machine.state().image();
    }

    BrokerImage broker(int id) {
        return image().broker(id);
    }

    PartitionImage partition(String topic, int index) {
        return image().partition(topic, index);
    }

    /** The first partition of a topic. */
    PartitionImage of(String topic) {
        return partition(topic, 0);
    }

    <R> R ask(Function<CompletableFuture<R>, ControllerCommand> command) {
        CompletableFuture<R> reply = new CompletableFuture<>();
        carryOut(machine.decide(command.apply(reply), nowMs));
        assertThat(reply).as("the answer").isDone();
        return reply.join();
    }

    private void carryOut(Decision<MetadataEvent, Runnable> decision) {
        for (MetadataEvent event : decision.events()) {
            codec.encode(event).ifPresent(journal::add);
            machine.apply(event);
            watcher.accept(event);
        }
        decision.effects().forEach(Runnable::run);
    }

    /** What is due at this moment. */
    void tick() {
        while (machine.nextDeadlineMs() <= nowMs) {
            carryOut(machine.onTime(nowMs));
        }
    }

    /** Time passes, in which only some brokers send heartbeats. */
    void pass(long ms, Integer... living) {
        long untilMs = nowMs + ms;
        while (nowMs < untilMs) {
            nowMs = Math.min(untilMs, nowMs + BEAT_MS);
            Arrays.stream(living).forEach(this::beat);
            tick();
        }
    }

    long deadlineInMs() {
        return machine.nextDeadlineMs() - nowMs;
    }

    /** A broker starts and catches up. */
    void start(int id, String rack) {
        register(id, rack, true);
        beat(id);
        tick();
    }

    Outcome<BrokerImage> register(int id, String rack, boolean clean) {
        return register(id, "host" + id, rack, clean, Uuid.randomUuid());
    }

    Outcome<BrokerImage> register(int id, String host, String rack, boolean clean, Uuid incarnation) {
        return ask(reply -> new RegisterBroker(id, host, 9092, rack, incarnation, clean, false, reply));
    }

    /** A broker's process starts again, in the rack where it was. */
    void restart(int id, boolean clean) {
        register(id, broker(id).rack(), clean);
    }

    HeartbeatAnswer beat(int id) {
        return value(beat(id, broker(id).epoch(), true, false, false));
    }

    HeartbeatAnswer wantsStop(int id) {
        return value(beat(id, broker(id).epoch(), true, false, true));
    }

    Outcome<HeartbeatAnswer> beat(int id, long epoch, boolean caughtUp, boolean wantsFence, boolean wantsStop) {
        return ask(reply -> new Heartbeat(id, epoch, journal.size(), caughtUp, wantsFence, wantsStop, reply));
    }

    /** A broker's process is gone, and that is known. */
    void kill(int id) {
        this.<Outcome<BrokerImage>>ask(reply -> new Suspect(id, broker(id).epoch(), reply));
    }

    /** A topic with these replicas of each partition. */
    @SafeVarargs
    final TopicImage topic(String name, List<Integer>... replicas) {
        return topic(name, Map.of(), replicas);
    }

    @SafeVarargs
    final TopicImage topic(String name, Map<String, String> settings, List<Integer>... replicas) {
        Map<Integer, List<Integer>> assignment = new LinkedHashMap<>();
        for (List<Integer> ofOne : replicas) {
            assignment.put(assignment.size(), ofOne);
        }
        return value(ask(reply -> new CreateTopic(name, -1, -1, assignment, settings, false, reply)));
    }

    Outcome<TopicImage> create(String name, int partitions, int factor) {
        return ask(reply -> new CreateTopic(name, partitions, factor, Map.of(), Map.of(), false, reply));
    }

    void set(String topic, Map<String, String> settings) {
        value(this.<Outcome<TopicImage>>ask(reply -> new SetTopic(topic, current -> settings, false, reply)));
    }

    /** The leader of a topic's first partition says who is in sync. */
    Outcome<PartitionImage> inSync(String topic, Integer... nodes) {
        return inSync(topic, 0, Arrays.asList(nodes));
    }

    Outcome<PartitionImage> inSync(String topic, int index, List<Integer> nodes) {
        PartitionImage now = partition(topic, index);
        return change(now.leader(), change(topic, now, nodes));
    }

    InSyncChange change(String topic, PartitionImage now, List<Integer> nodes) {
        List<InSyncMember> members = nodes.stream()
                .map(node -> new InSyncMember(node, InSyncMember.ANY_EPOCH))
                .toList();
        Uuid id = image().topic(topic).id();
        return new InSyncChange(id, now.index(), now.leaderEpoch(), now.partitionEpoch(), members);
    }

    Outcome<PartitionImage> change(int sender, InSyncChange change) {
        long epoch = broker(sender).epoch();
        List<Outcome<PartitionImage>> answers =
                value(ask(reply -> new AlterPartitions(sender, epoch, List.of(change), reply)));
        return answers.get(0);
    }

    Outcome<PartitionImage> reassign(String topic, Integer... replicas) {
        return reassign(new Reassignment(topic, 0, Arrays.asList(replicas)));
    }

    Outcome<PartitionImage> cancel(String topic) {
        return reassign(new Reassignment(topic, 0, null));
    }

    private Outcome<PartitionImage> reassign(Reassignment change) {
        List<Outcome<PartitionImage>> answers = ask(reply -> new AlterReassignments(List.of(change), true, reply));
        return answers.get(0);
    }

    Drained drain(int id, boolean on) {
        value(setDrain(String.valueOf(id), on));
        int moving = 0;
        int waiting = 0;
        for (TopicImage topic : image().topics().values()) {
            for (PartitionImage partition : topic.partitions()) {
                moving += partition.removing().contains(id) ? 1 : 0;
                waiting += partition.target().contains(id) ? 1 : 0;
            }
        }
        return new Drained(broker(id), moving, waiting);
    }

    Outcome<Boolean> setDrain(String node, boolean on) {
        return ask(reply -> new SetBroker(node, old -> Map.of(BrokerSettings.DRAIN, String.valueOf(on)), false, reply));
    }

    /** @param waiting partitions for which no other broker is there */
    record Drained(BrokerImage broker, int moving, int waiting) {}

    static <T> T value(Outcome<T> outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        return ((Outcome.Done<T>) outcome).value();
    }
}
