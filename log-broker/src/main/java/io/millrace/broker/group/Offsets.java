package io.millrace.broker.group;

import io.millrace.broker.group.GroupAnswers.Committed;
import io.millrace.broker.group.GroupCommand.Caller;
import io.millrace.broker.group.GroupCommand.Commit;
import io.millrace.broker.group.GroupCommand.CommitInTransaction;
import io.millrace.broker.group.GroupCommand.EndTransaction;
import io.millrace.broker.group.GroupCommand.Fetch;
import io.millrace.broker.group.GroupCommand.Registered;
import io.millrace.broker.log.TransactionMarker;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.Decision;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** Commits and reads of offsets, plain and in transactions. */
final class Offsets {
    private final OffsetBook book;
    private final Registrations registrations;

    Offsets(OffsetBook book, Registrations registrations) {
        this.book = book;
        this.registrations = registrations;
    }

    Decision<GroupEvent, GroupEffect> commit(Commit commit, Group group, long nowMs) {
        ErrorCode refusal = plainRefusal(group, commit.caller());
        if (refusal != ErrorCode.NONE) {
            return answer(commit, refusal);
        }
        List<GroupEvent> events = new ArrayList<>();
        commit.offsets()
                .forEach((partition, offset) ->
                        events.add(new GroupEvent.Committed(commit.caller().group(), partition, offset)));
        if (!commit.caller().outsider()) {
            events.add(seen(group, commit.caller(), nowMs));
        }
        return new Decision<>(events, answer(commit, ErrorCode.NONE).effects());
    }

    private static GroupEvent seen(Group group, Caller caller, long nowMs) {
        GroupDraft draft = new GroupDraft(group, nowMs);
        draft.put(draft.members.get(caller.memberId()).seen(nowMs));
        return draft.decision().events().get(0);
    }

    private static ErrorCode plainRefusal(Group group, Caller caller) {
        if (caller.outsider()) {
            boolean empty = group == null || group.state() == GroupState.EMPTY;
            return empty ? ErrorCode.NONE : ErrorCode.UNKNOWN_MEMBER_ID;
        }
        if (group == null) {
            return ErrorCode.ILLEGAL_GENERATION;
        }
        ErrorCode refusal = Membership.refusal(group, caller);
        boolean dividing = refusal == ErrorCode.NONE && group.state() == GroupState.COMPLETING;
        return dividing ? ErrorCode.REBALANCE_IN_PROGRESS : refusal;
    }

    private static Decision<GroupEvent, GroupEffect> answer(Commit commit, ErrorCode error) {
        return Decision.reply(new GroupEffect.Reply(() -> commit.reply().complete(new Committed(error))));
    }

    /** Offsets in a transaction: its coordinator must know of them before they are taken. */
    Decision<GroupEvent, GroupEffect> commit(CommitInTransaction commit, Group group) {
        ErrorCode refusal = transactionRefusal(group, commit.caller());
        if (refusal != ErrorCode.NONE) {
            return answer(commit, refusal);
        }
        return new Decision<>(List.of(new GroupEvent.Asked(commit)), List.of(new GroupEffect.Register(commit)));
    }

    private static ErrorCode transactionRefusal(Group group, Caller caller) {
        if (caller.outsider()) {
            return ErrorCode.NONE;
        }
        if (group == null) {
            return ErrorCode.ILLEGAL_GENERATION;
        }
        return Membership.refusal(group, caller);
    }

    private static Decision<GroupEvent, GroupEffect> answer(CommitInTransaction commit, ErrorCode error) {
        return Decision.reply(new GroupEffect.Reply(() -> commit.reply().complete(new Committed(error))));
    }

    Decision<GroupEvent, GroupEffect> registered(Registered registered, Group group) {
        CommitInTransaction commit = registered.command();
        ErrorCode error = registered.answer();
        if (error == ErrorCode.NONE && registrations.overtaken(commit)) {
            error = ErrorCode.INVALID_TXN_STATE; // the transaction ended while its offsets waited
        }
        if (error == ErrorCode.NONE) {
            error = transactionRefusal(group, commit.caller());
        }
        List<GroupEvent> events = new ArrayList<>(List.of(new GroupEvent.AskedOver(commit)));
        if (error == ErrorCode.NONE) {
            commit.offsets()
                    .forEach((partition, offset) -> events.add(new GroupEvent.Pending(
                            commit.producerId(),
                            commit.producerEpoch(),
                            commit.caller().group(),
                            partition,
                            offset)));
        }
        return new Decision<>(events, answer(commit, error).effects());
    }

    Decision<GroupEvent, GroupEffect> end(EndTransaction end) {
        List<GroupEvent> events = new ArrayList<>();
        TransactionMarker marker = end.marker();
        for (GroupEvent.Pending pending : book.pending(marker.producerId())) {
            boolean ended = marker.raisesEpoch()
                    ? pending.producerEpoch() < marker.epoch()
                    : pending.producerEpoch() <= marker.epoch();
            if (!ended) {
                continue;
            }
            events.add(new GroupEvent.PendingOver(pending.producerId(), pending.group(), pending.partition()));
            if (marker.commit()) {
                events.add(new GroupEvent.Committed(pending.group(), pending.partition(), pending.offset()));
            }
        }
        events.add(new GroupEvent.Overtaken(marker));
        return new Decision<>(
                events, List.of(new GroupEffect.Reply(() -> end.reply().complete(ErrorCode.NONE))));
    }

    Decision<GroupEvent, GroupEffect> fetch(Fetch fetch) {
        GroupAnswers.Fetched answer = find(fetch);
        return new Decision<>(
                fetch.stable() ? List.of(new GroupEvent.Read(fetch.group())) : List.of(),
                List.of(new GroupEffect.Reply(() -> fetch.reply().complete(answer))));
    }

    private GroupAnswers.Fetched find(Fetch fetch) {
        Map<TopicPartition, Offset> known = book.of(fetch.group());
        List<TopicPartition> unstable = fetch.stable()
                ? book.pending(fetch.group()).stream()
                        .map(GroupEvent.Pending::partition)
                        .distinct()
                        .toList()
                : List.of();
        Map<TopicPartition, Offset> found = new LinkedHashMap<>();
        if (fetch.partitions() == null) {
            found.putAll(known);
        } else {
            for (TopicPartition partition : fetch.partitions()) {
                if (known.containsKey(partition)) {
                    found.put(partition, known.get(partition));
                }
            }
        }
        return new GroupAnswers.Fetched(found, unstable);
    }
}
