package io.millrace.broker.group;

import io.millrace.broker.group.GroupCommand.Caller;
import io.millrace.broker.group.GroupCommand.Heartbeat;
import io.millrace.broker.group.GroupCommand.Join;
import io.millrace.broker.group.GroupCommand.Leave;
import io.millrace.broker.group.GroupCommand.Sync;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.Decision;
import io.millrace.kernel.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** The coordinator of the groups that fall to one partition of the offsets topic. */
public final class GroupMachine implements Machine<GroupCommand, GroupEvent, GroupEffect> {
    private static final long RETENTION_CHECK_MS = 600_000;

    private final GroupSettings settings;
    private final Groups groups = new Groups();
    private final OffsetBook book = new OffsetBook();
    private final Registrations registrations = new Registrations();
    private final Joins joins;
    private final Syncs syncs = new Syncs();
    private final Leaves leaves;
    private final Offsets offsets = new Offsets(book, registrations);
    private final Removals removals;

    /**
     * @param newId the part of a new member's id that makes it unique
     * @param subscribedTopics reads the topics out of what a member of type "consumer" says
     */
    public GroupMachine(
            GroupSettings settings, Supplier<String> newId, Function<byte[], Set<String>> subscribedTopics) {
        this.settings = settings;
        Rebalancing rebalancing = new Rebalancing(settings);
        joins = new Joins(settings, rebalancing, newId, subscribedTopics);
        leaves = new Leaves(rebalancing);
        removals = new Removals(book, subscribedTopics);
    }

    @Override
    public Decision<GroupEvent, GroupEffect> decide(GroupCommand command, long nowMs) {
        if (command instanceof Join join) {
            return join(join, nowMs);
        } else if (command instanceof Sync sync) {
            return sync(sync, nowMs);
        } else if (command instanceof Heartbeat heartbeat) {
            return heartbeat(heartbeat, nowMs);
        } else if (command instanceof Leave leave) {
            return leave(leave, nowMs);
        } else if (command instanceof GroupCommand.Commit commit) {
            return offsets.commit(commit, groups.get(commit.caller().group()), nowMs);
        } else if (command instanceof GroupCommand.CommitInTransaction commit) {
            return offsets.commit(commit, groups.get(commit.caller().group()));
        } else if (command instanceof GroupCommand.Registered registered) {
            Caller caller = registered.command().caller();
            return offsets.registered(registered, groups.get(caller.group()));
        } else if (command instanceof GroupCommand.EndTransaction end) {
            return offsets.end(end);
        } else if (command instanceof GroupCommand.Fetch fetch) {
            return offsets.fetch(fetch);
        }
        return administer(command, nowMs);
    }

    private Decision<GroupEvent, GroupEffect> administer(GroupCommand command, long nowMs) {
        if (command instanceof GroupCommand.DeleteOffsets delete) {
            return removals.delete(delete, groups.get(delete.group()));
        } else if (command instanceof GroupCommand.DeleteGroup delete) {
            return removals.delete(delete, groups.get(delete.group()));
        } else if (command instanceof GroupCommand.ForgetTopic forget) {
            return removals.forget(forget);
        } else if (command instanceof GroupCommand.AbortHanging abort) {
            return removals.abort(abort);
        } else if (command instanceof GroupCommand.Describe describe) {
            return Decision.reply(reply(describe.reply(), describe(describe.group())));
        } else if (command instanceof GroupCommand.ListAll list) {
            return Decision.reply(reply(list.reply(), all()));
        } else if (command instanceof GroupCommand.Loaded loaded) {
            return loaded(loaded, nowMs);
        }
        throw new IllegalStateException("no such command: " + command);
    }

    /** A group that only has offsets counts as an empty one. */
    private Optional<Group> describe(String name) {
        Group group = groups.get(name);
        if (group == null && !book.of(name).isEmpty()) {
            return Optional.of(Group.fresh(name, 0));
        }
        return Optional.ofNullable(group);
    }

    private List<Group> all() {
        List<Group> all = new ArrayList<>(groups.all());
        for (String name : book.groups()) {
            if (groups.get(name) == null) {
                all.add(Group.fresh(name, 0));
            }
        }
        return all;
    }

    private Decision<GroupEvent, GroupEffect> join(Join join, long nowMs) {
        Group known = groups.get(join.group());
        if (join.group().isEmpty()) {
            return Decision.reply(reply(
                    join.reply(),
                    GroupAnswers.Joined.refused(
                            ErrorCode.INVALID_GROUP_ID, join.member().id())));
        }
        if (known == null && !join.member().id().isEmpty()) {
            return Decision.reply(reply(
                    join.reply(),
                    GroupAnswers.Joined.refused(
                            ErrorCode.UNKNOWN_MEMBER_ID, join.member().id())));
        }
        GroupDraft draft = new GroupDraft(known == null ? Group.fresh(join.group(), nowMs) : known, nowMs);
        joins.join(draft, join);
        return draft.decision();
    }

    private Decision<GroupEvent, GroupEffect> sync(Sync sync, long nowMs) {
        Group group = groups.get(sync.caller().group());
        ErrorCode refusal = Membership.refusal(group, sync.caller());
        if (refusal != ErrorCode.NONE) {
            return Decision.reply(reply(sync.reply(), GroupAnswers.Synced.refused(refusal)));
        }
        GroupDraft draft = new GroupDraft(group, nowMs);
        syncs.sync(draft, sync);
        return draft.decision();
    }

    private Decision<GroupEvent, GroupEffect> heartbeat(Heartbeat heartbeat, long nowMs) {
        Group group = groups.get(heartbeat.caller().group());
        ErrorCode refusal = Membership.refusal(group, heartbeat.caller());
        if (refusal != ErrorCode.NONE) {
            return Decision.reply(reply(heartbeat.reply(), refusal));
        }
        GroupDraft draft = new GroupDraft(group, nowMs);
        Member member = draft.members.get(heartbeat.caller().memberId());
        if (member.joining() == null && member.syncing() == null) {
            draft.put(member.seen(nowMs));
        }
        boolean rebalancing = group.state() == GroupState.PREPARING;
        draft.reply(heartbeat.reply(), rebalancing ? ErrorCode.REBALANCE_IN_PROGRESS : ErrorCode.NONE);
        return draft.decision();
    }

    private Decision<GroupEvent, GroupEffect> leave(Leave leave, long nowMs) {
        Group group = groups.get(leave.group());
        if (group == null) {
            List<GroupAnswers.LeftMember> unknown = leave.members().stream()
                    .map(one ->
                            new GroupAnswers.LeftMember(one.memberId(), one.instanceId(), ErrorCode.UNKNOWN_MEMBER_ID))
                    .toList();
            return Decision.reply(reply(leave.reply(), new GroupAnswers.Left(ErrorCode.NONE, unknown)));
        }
        GroupDraft draft = new GroupDraft(group, nowMs);
        leaves.leave(draft, leave);
        return draft.decision();
    }

    private Decision<GroupEvent, GroupEffect> loaded(GroupCommand.Loaded loaded, long nowMs) {
        List<GroupEvent> events = new ArrayList<>();
        for (Group group : groups.all()) {
            GroupDraft draft = new GroupDraft(group, nowMs);
            List.copyOf(draft.members.values()).forEach(member -> draft.put(member.seen(nowMs)));
            events.addAll(draft.decision().events());
        }
        return new Decision<>(events, List.of(reply(loaded.reply(), null)));
    }

    @Override
    public long nextDeadlineMs() {
        return groups.nextDeadlineMs();
    }

    @Override
    public Decision<GroupEvent, GroupEffect> onTime(long nowMs) {
        List<GroupEvent> events = new ArrayList<>();
        List<GroupEffect> effects = new ArrayList<>();
        for (Group group : groups.overdue(nowMs)) {
            GroupDraft draft = new GroupDraft(group, nowMs);
            leaves.expire(draft);
            Decision<GroupEvent, GroupEffect> decision = draft.decision();
            events.addAll(decision.events());
            effects.addAll(decision.effects());
        }
        if (groups.retentionDue(nowMs)) {
            events.add(new GroupEvent.RetentionChecked(nowMs + RETENTION_CHECK_MS));
            for (Group group : all()) {
                Group known = groups.get(group.id());
                events.addAll(removals.expired(group.id(), known, nowMs, settings.offsetsRetentionMs()));
            }
        }
        return new Decision<>(events, effects);
    }

    @Override
    public void apply(GroupEvent event) {
        groups.apply(event);
        book.apply(event);
        registrations.apply(event);
    }

    private static <R> GroupEffect reply(CompletableFuture<R> to, R answer) {
        return new GroupEffect.Reply(() -> to.complete(answer));
    }
}
