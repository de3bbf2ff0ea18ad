package io.millrace.broker.group;

import io.millrace.broker.group.GroupCommand.DeleteGroup;
import io.millrace.broker.group.GroupCommand.DeleteOffsets;
import io.millrace.broker.group.GroupCommand.ForgetTopic;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.Decision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;

/** Groups and offsets that are no longer wanted. */
final class Removals {
    private final OffsetBook book;
    private final Function<byte[], Set<String>> subscribedTopics;

    /** @param subscribedTopics reads the topics out of what a member of type "consumer" says */
    Removals(OffsetBook book, Function<byte[], Set<String>> subscribedTopics) {
        this.book = book;
        this.subscribedTopics = subscribedTopics;
    }

    Decision<GroupEvent, GroupEffect> delete(DeleteGroup delete, Group group) {
        ErrorCode error = ErrorCode.NONE;
        List<GroupEvent> events = new ArrayList<>();
        if (group == null && book.of(delete.group()).isEmpty()) {
            error = ErrorCode.GROUP_ID_NOT_FOUND;
        } else if (group != null && group.state() != GroupState.EMPTY) {
            error = ErrorCode.NON_EMPTY_GROUP;
        } else {
            book.of(delete.group())
                    .keySet()
                    .forEach(partition -> events.add(new GroupEvent.Forgotten(delete.group(), partition)));
            book.pending(delete.group()).forEach(pending -> events.add(over(pending)));
            events.add(new GroupEvent.Removed(delete.group()));
        }
        ErrorCode answer = error;
        return new Decision<>(
                events, List.of(new GroupEffect.Reply(() -> delete.reply().complete(answer))));
    }

    Decision<GroupEvent, GroupEffect> delete(DeleteOffsets delete, Group group) {
        Map<TopicPartition, ErrorCode> answers = new HashMap<>();
        List<GroupEvent> events = new ArrayList<>();
        ErrorCode error = ErrorCode.NONE;
        if (group == null && book.of(delete.group()).isEmpty()) {
            error = ErrorCode.GROUP_ID_NOT_FOUND;
        } else if (group != null && group.state() != GroupState.EMPTY && !isConsumer(group)) {
            error = ErrorCode.NON_EMPTY_GROUP; // what its members read cannot be known
        } else {
            Set<String> subscribed = group == null ? Set.of() : subscribed(group);
            for (TopicPartition partition : delete.partitions()) {
                boolean used = subscribed.contains(partition.topic());
                answers.put(partition, used ? ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC : ErrorCode.NONE);
                if (!used && book.of(delete.group()).containsKey(partition)) {
                    events.add(new GroupEvent.Forgotten(delete.group(), partition));
                }
            }
        }
        GroupAnswers.Deleted answer = new GroupAnswers.Deleted(error, answers);
        return new Decision<>(
                events, List.of(new GroupEffect.Reply(() -> delete.reply().complete(answer))));
    }

    private static boolean isConsumer(Group group) {
        return "consumer".equals(group.protocolType());
    }

    private Set<String> subscribed(Group group) {
        Set<String> topics = new HashSet<>();
        if (isConsumer(group)) {
            for (Member member : group.members().values()) {
                member.protocols().forEach(protocol -> topics.addAll(subscribedTopics.apply(protocol.metadata())));
            }
        }
        return topics;
    }

    Decision<GroupEvent, GroupEffect> forget(ForgetTopic forget) {
        List<GroupEvent> events = new ArrayList<>();
        for (String group : book.groups()) {
            for (TopicPartition partition : book.of(group).keySet()) {
                if (partition.topic().equals(forget.topic())) {
                    events.add(new GroupEvent.Forgotten(group, partition));
                }
            }
        }
        for (GroupEvent.Pending pending : book.pending()) {
            if (pending.partition().topic().equals(forget.topic())) {
                events.add(over(pending));
            }
        }
        return new Decision<>(
                events, List.of(new GroupEffect.Reply(() -> forget.reply().complete(null))));
    }

    Decision<GroupEvent, GroupEffect> abort(GroupCommand.AbortHanging abort) {
        List<GroupEvent> events = book.pending().stream()
                .filter(pending -> pending.offset().committedMs() < abort.beforeMs())
                .filter(pending -> !abort.known().contains(pending.producerId()))
                .map(Removals::over)
                .toList();
        return new Decision<>(
                events, List.of(new GroupEffect.Reply(() -> abort.reply().complete(null))));
    }

    private static GroupEvent over(GroupEvent.Pending pending) {
        return new GroupEvent.PendingOver(pending.producerId(), pending.group(), pending.partition());
    }

    /** Offsets of a group that has been empty for longer than they are kept, and the group with them. */
    List<GroupEvent> expired(String name, Group group, long nowMs, long retentionMs) {
        List<GroupEvent> events = new ArrayList<>();
        if (group != null && group.state() != GroupState.EMPTY) {
            return events;
        }
        long emptySinceMs = group == null ? 0 : group.changedMs();
        boolean anyLeft = false;
        for (Map.Entry<TopicPartition, Offset> entry : book.of(name).entrySet()) {
            long since = Math.max(emptySinceMs, entry.getValue().committedMs());
            if (since + retentionMs <= nowMs) {
                events.add(new GroupEvent.Forgotten(name, entry.getKey()));
            } else {
                anyLeft = true;
            }
        }
        if (!anyLeft && group != null && group.invited().isEmpty() && emptySinceMs + retentionMs <= nowMs) {
            events.add(new GroupEvent.Removed(name));
        }
        return events;
    }
}
