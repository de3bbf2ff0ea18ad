package io.millrace.broker.group;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A member of a group.
 *
 * @param instanceId the name of a static member (KIP-345); null for a dynamic one
 * @param protocols what it can speak, most wanted first
 * @param sessionEndsMs when it is given up unless it is heard of; {@link Long#MAX_VALUE} while a request of it is parked
 * @param joining where the answer to its parked join goes; null for none
 * @param syncing where the answer to its parked sync goes; null for none
 */
public record Member(
        String id,
        String instanceId,
        String clientId,
        String clientHost,
        int rebalanceTimeoutMs,
        int sessionTimeoutMs,
        List<Protocol> protocols,
        byte[] assignment,
        long sessionEndsMs,
        CompletableFuture<GroupAnswers.Joined> joining,
        CompletableFuture<GroupAnswers.Synced> syncing) {

    /** A way to divide the work, and what the member says about itself in it. */
    public record Protocol(String name, byte[] metadata) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Protocol that && name.equals(that.name) && Arrays.equals(metadata, that.metadata);
        }

        @Override
        public int hashCode() {
            return 31 * name.hashCode() + Arrays.hashCode(metadata);
        }
    }

    public Member {
        protocols = List.copyOf(protocols);
    }

    boolean speaks(String protocol) {
        return protocols.stream().anyMatch(one -> one.name().equals(protocol));
    }

    /** What the member said in a protocol; empty when it does not speak it. */
    public byte[] metadata(String protocol) {
        return protocols.stream()
                .filter(one -> one.name().equals(protocol))
                .map(Protocol::metadata)
                .findFirst()
                .orElse(new byte[0]);
    }

    Member named(String newId) {
        return new Member(
                newId,
                instanceId,
                clientId,
                clientHost,
                rebalanceTimeoutMs,
                sessionTimeoutMs,
                protocols,
                assignment,
                sessionEndsMs,
                joining,
                syncing);
    }

    Member asking(Member other) {
        return new Member(
                id,
                instanceId,
                other.clientId,
                other.clientHost,
                other.rebalanceTimeoutMs,
                other.sessionTimeoutMs,
                other.protocols,
                assignment,
                sessionEndsMs,
                joining,
                syncing);
    }

    Member assigned(byte[] newAssignment) {
        return new Member(
                id,
                instanceId,
                clientId,
                clientHost,
                rebalanceTimeoutMs,
                sessionTimeoutMs,
                protocols,
                newAssignment,
                sessionEndsMs,
                joining,
                syncing);
    }

    Member seen(long nowMs) {
        return until(nowMs + sessionTimeoutMs, joining, syncing);
    }

    Member parkedJoin(CompletableFuture<GroupAnswers.Joined> reply) {
        return until(Long.MAX_VALUE, reply, syncing);
    }

    Member parkedSync(CompletableFuture<GroupAnswers.Synced> reply) {
        return until(Long.MAX_VALUE, joining, reply);
    }

    /** Nothing is parked any more, and the session runs from now on. */
    Member answered(long nowMs) {
        return until(nowMs + sessionTimeoutMs, null, null);
    }

    private Member until(
            long endsMs,
            CompletableFuture<GroupAnswers.Joined> newJoining,
            CompletableFuture<GroupAnswers.Synced> newSyncing) {
        return new Member(
                id,
                instanceId,
                clientId,
                clientHost,
                rebalanceTimeoutMs,
                sessionTimeoutMs,
                protocols,
                assignment,
                endsMs,
                newJoining,
                newSyncing);
    }
}
