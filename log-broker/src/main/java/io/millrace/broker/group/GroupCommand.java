package io.millrace.broker.group;

import io.millrace.broker.log.TransactionMarker;
import io.millrace.broker.wire.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;

/** What can be asked of a group coordinator. Each command carries the future that its answer completes. */
public sealed interface GroupCommand {

    CompletableFuture<?> reply();

    /** Who asks, as far as the group knows it. A generation below 0 and an empty id mean: not a member. */
    record Caller(String group, String memberId, String instanceId, int generation) {
        boolean outsider() {
            return generation < 0 && memberId.isEmpty();
        }
    }

    /**
     * @param member what the member says of itself; its id is empty for a new one
     * @param knownIdRequired whether a new dynamic member is first told its id (KIP-394)
     * @param canSkip whether the client understands that an assignment is not wanted (KIP-814)
     */
    record Join(
            String group,
            String protocolType,
            Member member,
            boolean knownIdRequired,
            boolean canSkip,
            CompletableFuture<GroupAnswers.Joined> reply)
            implements GroupCommand {}

    /** @param protocolType null where the client does not say; likewise protocol */
    record Sync(
            Caller caller,
            String protocolType,
            String protocol,
            Map<String, byte[]> assignments,
            CompletableFuture<GroupAnswers.Synced> reply)
            implements GroupCommand {}

    record Heartbeat(Caller caller, CompletableFuture<ErrorCode> reply) implements GroupCommand {}

    record Leave(String group, List<Leaver> members, CompletableFuture<GroupAnswers.Left> reply)
            implements GroupCommand {}

    record Leaver(String memberId, String instanceId) {}

    record Commit(Caller caller, Map<TopicPartition, Offset> offsets, CompletableFuture<GroupAnswers.Committed> reply)
            implements GroupCommand {}

    /**
     * Offsets that become visible with the commit of a transaction.
     *
     * @param joins whether the command registers the offsets with the transaction (transaction version 2)
     */
    record CommitInTransaction(
            Caller caller,
            String transactionalId,
            long producerId,
            short producerEpoch,
            boolean joins,
            Map<TopicPartition, Offset> offsets,
            CompletableFuture<GroupAnswers.Committed> reply)
            implements GroupCommand {}

    /** The transaction's coordinator has answered whether the offsets may be taken. */
    record Registered(CommitInTransaction command, ErrorCode answer) implements GroupCommand {
        @Override
        public CompletableFuture<?> reply() {
            return command.reply();
        }
    }

    /** A transaction has ended; safe to repeat. */
    record EndTransaction(TransactionMarker marker, CompletableFuture<ErrorCode> reply) implements GroupCommand {}

    /**
     * @param partitions null for all that there are
     * @param stable whether offsets that an open transaction is about to change are held back (KIP-447)
     */
    record Fetch(
            String group,
            List<TopicPartition> partitions,
            boolean stable,
            CompletableFuture<GroupAnswers.Fetched> reply)
            implements GroupCommand {}

    record DeleteOffsets(String group, List<TopicPartition> partitions, CompletableFuture<GroupAnswers.Deleted> reply)
            implements GroupCommand {}

    record DeleteGroup(String group, CompletableFuture<ErrorCode> reply) implements GroupCommand {}

    /** A topic is gone, and the offsets of its partitions with it. */
    record ForgetTopic(String topic, CompletableFuture<Void> reply) implements GroupCommand {}

    /**
     * Offsets of transactions that no coordinator knows of are given up.
     *
     * @param beforeMs only those that were sent before this time
     * @param known the producers whose transactions are open, or about to end
     */
    record AbortHanging(long beforeMs, Set<Long> known, CompletableFuture<Void> reply) implements GroupCommand {}

    record Describe(String group, CompletableFuture<Optional<Group>> reply) implements GroupCommand {}

    record ListAll(CompletableFuture<List<Group>> reply) implements GroupCommand {}

    /** The log has been replayed: the sessions of the members that it names begin now. */
    record Loaded(CompletableFuture<Void> reply) implements GroupCommand {}
}
