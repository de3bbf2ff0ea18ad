package io.millrace.simulator.workload;

import io.millrace.simulator.client.Client;
import io.millrace.simulator.client.GroupRequests;
import io.millrace.simulator.client.GroupRequests.Membership;
import io.millrace.simulator.client.NoAnswer;
import io.millrace.simulator.client.Refused;
import io.millrace.simulator.client.Requests;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.Errors;

/**
 * A consumer's part in a classic group.
 *
 * <pre>
 * outside --{@link #join}--> inside, in a generation, with its share --refused, or {@link #leave}--> outside
 * </pre>
 */
final class GroupMember {
    private static final int REBALANCE_MS = 2_000;

    /** After which one joins again, and what one had belongs to somebody else. */
    private static final Set<Errors> LOST = Set.of(
            Errors.REBALANCE_IN_PROGRESS,
            Errors.ILLEGAL_GENERATION,
            Errors.UNKNOWN_MEMBER_ID,
            Errors.MEMBER_ID_REQUIRED);

    private final Client client;
    private final String group;
    private final int shares;
    private final int sessionMs;
    private Membership membership;

    /** @param shares how many things there are to divide among the members */
    GroupMember(Client client, String group, int shares, int sessionMs) {
        this.client = client;
        this.group = group;
        this.shares = shares;
        this.sessionMs = sessionMs;
        forget();
    }

    /** Whether a failure says no more than that this one is not a member of the current generation any more. */
    static boolean isLost(Throwable failure) {
        return Client.cause(failure) instanceof Refused refused && LOST.contains(refused.error());
    }

    Membership membership() {
        return membership;
    }

    /** It has died, and a new one takes its place, which the group has never heard of. */
    void forget() {
        membership = Membership.none(group);
    }

    /** Insists on being in the next generation; the answer is this member's share. */
    CompletableFuture<List<Integer>> join() {
        return client.insist(() -> joinOnce().thenCompose(this::sync).exceptionally(failure -> {
            Throwable cause = Client.cause(failure);
            if (isLost(cause)) {
                if (((Refused) cause).error() == Errors.UNKNOWN_MEMBER_ID) {
                    forget();
                }
                throw new NoAnswer("joins again: " + cause.getMessage());
            }
            throw cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
        }));
    }

    private CompletableFuture<JoinGroupResponseData> joinOnce() {
        return client.askCoordinator(
                        Requests.Kind.GROUP,
                        group,
                        GroupRequests.join(group, membership.id(), sessionMs, REBALANCE_MS),
                        GroupRequests.JOIN,
                        JoinGroupResponseData.class)
                .thenApply(answer -> {
                    if (answer.errorCode() == Errors.MEMBER_ID_REQUIRED.code()) {
                        membership = new Membership(group, answer.memberId(), -1);
                    }
                    client.check("join of " + group, answer.errorCode());
                    membership = new Membership(group, answer.memberId(), answer.generationId());
                    return answer;
                });
    }

    private CompletableFuture<List<Integer>> sync(JoinGroupResponseData joined) {
        return client.askCoordinator(
                        Requests.Kind.GROUP,
                        group,
                        GroupRequests.sync(membership, divide(joined)),
                        GroupRequests.SYNC,
                        SyncGroupResponseData.class)
                .thenApply(answer -> {
                    client.check("sync of " + group, answer.errorCode());
                    String share = new String(answer.assignment(), StandardCharsets.UTF_8);
                    return Stream.of(share.split(","))
                            .filter(one -> !one.isEmpty())
                            .map(Integer::valueOf)
                            .toList();
                });
    }

    /** The one that leads divides, beginning with whichever member: what is whose changes with the generation. */
    private Map<String, String> divide(JoinGroupResponseData joined) {
        List<String> members = joined.members().stream()
                .map(JoinGroupResponseData.JoinGroupResponseMember::memberId)
                .sorted()
                .toList();
        Map<String, String> divided = new TreeMap<>();
        int first = client.chance(Math.max(1, members.size()));
        if (!members.isEmpty()) {
            IntStream.range(0, shares)
                    .forEach(share -> divided.merge(
                            members.get((first + share) % members.size()),
                            String.valueOf(share),
                            (some, one) -> some + "," + one));
        }
        return divided;
    }

    CompletableFuture<Void> heartbeat() {
        return client.askCoordinator(
                        Requests.Kind.GROUP,
                        group,
                        GroupRequests.heartbeat(membership),
                        GroupRequests.HEARTBEAT,
                        HeartbeatResponseData.class)
                .thenAccept(answer -> client.check("heartbeat in " + group, answer.errorCode()));
    }

    /** Insists on being out. */
    CompletableFuture<Void> leave() {
        Membership left = membership;
        return client.insist(() -> client.askCoordinator(
                                Requests.Kind.GROUP,
                                group,
                                GroupRequests.leave(left),
                                GroupRequests.LEAVE,
                                LeaveGroupResponseData.class)
                        .thenAccept(answer -> {
                            client.check("leave of " + group, answer.errorCode());
                            short error = answer.members().get(0).errorCode();
                            if (error != Errors.UNKNOWN_MEMBER_ID.code()) {
                                client.check("leave of " + left, error);
                            }
                        }))
                .thenRun(this::forget);
    }

    @Override
    public String toString() {
        return membership.toString();
    }
}
