package io.millrace.broker.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.group.GroupCommand.Caller;
import io.millrace.broker.log.TransactionMarker;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.EventCodec;
import io.millrace.kernel.MachineHost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A coordinator rebuilt from its journal, or from the newest record of each key in it, equals the one that wrote it. */
class GroupReplayTest {
    private static final int STEPS = 400;
    private static final int GROUPS = 3;
    private static final int TOPICS = 3;
    private static final int PRODUCERS = 3;

    private final List<EventCodec.Entry> journal = new ArrayList<>();
    private GroupMachine machine = machine();
    private MachineHost<GroupCommand, GroupEvent, GroupEffect> host = host(machine);
    private long nowMs = 1_000_000;
    private int nextId;

    private GroupMachine machine() {
        GroupSettings settings = new GroupSettings(1, 60_000, 0, 10, 3_600_000);
        return new GroupMachine(settings, () -> "id" + nextId++, metadata -> Set.of());
    }

    private MachineHost<GroupCommand, GroupEvent, GroupEffect> host(GroupMachine of) {
        MachineHost<GroupCommand, GroupEvent, GroupEffect> made = new MachineHost<>(
                of,
                new GroupCodec(),
                entries -> {
                    journal.addAll(entries);
                    return journal.size();
                },
                this::perform,
                (command, why) -> command.reply().completeExceptionally(why));
        made.committed(Long.MAX_VALUE);
        return made;
    }

    private void perform(GroupEffect effect) {
        if (effect instanceof GroupEffect.Reply reply) {
            reply.completion().run();
        } else if (effect instanceof GroupEffect.Register register) {
            host.command(new GroupCommand.Registered(register.command(), ErrorCode.NONE), nowMs);
        }
    }

    private <R> R ask(Function<CompletableFuture<R>, GroupCommand> command) {
        CompletableFuture<R> reply = new CompletableFuture<>();
        host.command(command.apply(reply), nowMs);
        return reply.getNow(null);
    }

    private void tell(GroupCommand command) {
        host.command(command, nowMs);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void a_machine_rebuilt_from_its_journal_equals_the_live_one(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            randomStep(random);
            if (step % 20 == 0) {
                List<String> atRest = groupsAtRest();
                String expected = contents(machine, atRest);
                assertThat(contents(rebuilt(journal), atRest))
                        .as("seed %d, step %d, all records", seed, step)
                        .isEqualTo(expected);
                assertThat(contents(rebuilt(newestOfEachKey()), atRest))
                        .as("seed %d, step %d, compacted", seed, step)
                        .isEqualTo(expected);
            }
        }
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 10);
    }

    private void randomStep(Random random) {
        String group = "group" + random.nextInt(GROUPS);
        nowMs += random.nextInt(5_000);
        switch (random.nextInt(9)) {
            case 0 -> joinAndSync(group, random.nextBoolean() ? null : "instance" + random.nextInt(2));
            case 1 ->
                members(group).stream()
                        .findFirst()
                        .ifPresent(member -> tell(new GroupCommand.Leave(
                                group,
                                List.of(new GroupCommand.Leaver(member.id(), member.instanceId())),
                                new CompletableFuture<>())));
            case 2, 3 -> tell(new GroupCommand.Commit(caller(group), offsets(random), new CompletableFuture<>()));
            case 4, 5 ->
                tell(new GroupCommand.CommitInTransaction(
                        outsider(group),
                        "tx",
                        random.nextInt(PRODUCERS),
                        (short) 0,
                        true,
                        offsets(random),
                        new CompletableFuture<>()));
            case 6 ->
                tell(new GroupCommand.EndTransaction(
                        new TransactionMarker(random.nextInt(PRODUCERS), (short) 0, random.nextBoolean(), 0, false),
                        new CompletableFuture<>()));
            case 7 -> {
                if (random.nextInt(4) == 0) {
                    tell(new GroupCommand.DeleteGroup(group, new CompletableFuture<>()));
                } else {
                    tell(new GroupCommand.ForgetTopic("topic" + random.nextInt(TOPICS), new CompletableFuture<>()));
                }
            }
            default -> {
                nowMs += 20_000;
                host.onTime(nowMs);
            }
        }
    }

    /** The member joins, the others with it, and the leader divides the work. */
    private void joinAndSync(String group, String instance) {
        tell(join(group, "", instance, new CompletableFuture<>()));
        for (Member member : members(group)) {
            if (member.joining() == null) {
                tell(join(group, member.id(), member.instanceId(), new CompletableFuture<>()));
            }
        }
        Group all = described(group);
        if (all.state() == GroupState.COMPLETING) {
            Caller leader = new Caller(
                    group, all.leader(), all.members().get(all.leader()).instanceId(), all.generation());
            tell(new GroupCommand.Sync(
                    leader, null, null, Map.of(all.leader(), new byte[] {1, 2}), new CompletableFuture<>()));
        }
    }

    private static GroupCommand join(
            String group, String id, String instance, CompletableFuture<GroupAnswers.Joined> reply) {
        Member member = new Member(
                id,
                instance,
                "client",
                "/host",
                30_000,
                10_000,
                List.of(new Member.Protocol("range", new byte[] {7})),
                new byte[0],
                Long.MAX_VALUE,
                null,
                null);
        return new GroupCommand.Join(group, "consumer", member, false, true, reply);
    }

    private Caller caller(String group) {
        Group known = described(group);
        return known == null || known.members().isEmpty()
                ? outsider(group)
                : new Caller(group, known.members().firstKey(), null, known.generation());
    }

    private static Caller outsider(String group) {
        return new Caller(group, "", null, -1);
    }

    private Map<TopicPartition, Offset> offsets(Random random) {
        return Map.of(
                new TopicPartition("topic" + random.nextInt(TOPICS), random.nextInt(2)),
                new Offset(random.nextInt(100), 3, "note", nowMs));
    }

    private List<Member> members(String group) {
        Group known = described(group);
        return known == null ? List.of() : List.copyOf(known.members().values());
    }

    private Group described(String group) {
        return this.<Optional<Group>>ask(reply -> new GroupCommand.Describe(group, reply))
                .orElse(null);
    }

    private GroupMachine rebuilt(List<EventCodec.Entry> entries) {
        GroupMachine fresh = machine();
        MachineHost<GroupCommand, GroupEvent, GroupEffect> replaying = host(fresh);
        entries.forEach(replaying::replay);
        return fresh;
    }

    private List<EventCodec.Entry> newestOfEachKey() {
        Map<String, EventCodec.Entry> newest = new LinkedHashMap<>();
        for (EventCodec.Entry entry : journal) {
            String key = Arrays.toString(entry.key());
            newest.remove(key); // compaction keeps the place of the newest
            newest.put(key, entry);
        }
        return List.copyOf(newest.values());
    }

    private List<String> groupsAtRest() {
        return answer(machine, GroupCommand.ListAll::new).stream()
                .filter(group -> group.state() == GroupState.STABLE || group.state() == GroupState.EMPTY)
                .map(Group::id)
                .toList();
    }

    /** What a restart must bring back: groups that are at rest, and all offsets. */
    private static String contents(GroupMachine machine, List<String> atRest) {
        StringBuilder text = new StringBuilder();
        for (Group group : answer(machine, GroupCommand.ListAll::new)) {
            if (atRest.contains(group.id())) {
                text.append(words(group)).append('\n');
            }
        }
        for (int i = 0; i < GROUPS; i++) {
            String group = "group" + i;
            GroupAnswers.Fetched offsets = answer(machine, reply -> new GroupCommand.Fetch(group, null, true, reply));
            text.append(group).append(' ').append(offsets).append('\n');
        }
        return text.toString();
    }

    private static String words(Group group) {
        StringBuilder text = new StringBuilder(String.join(
                " ",
                group.id(),
                group.state().title(),
                group.protocolType(),
                "generation " + group.generation(),
                "protocol " + group.protocol(),
                "leader " + group.leader(),
                "since " + group.changedMs()));
        for (Member member : group.members().values()) {
            text.append("; ").append(member.id()).append(' ').append(member.instanceId());
            text.append(' ').append(member.sessionTimeoutMs()).append(' ').append(member.rebalanceTimeoutMs());
            text.append(' ').append(Arrays.toString(member.metadata("range")));
            text.append(' ').append(Arrays.toString(member.assignment()));
        }
        return text.toString();
    }

    private static <R> R answer(GroupMachine machine, Function<CompletableFuture<R>, GroupCommand> question) {
        CompletableFuture<R> reply = new CompletableFuture<>();
        for (GroupEffect effect : machine.decide(question.apply(reply), 0).effects()) {
            ((GroupEffect.Reply) effect).completion().run();
        }
        return reply.join();
    }
}
