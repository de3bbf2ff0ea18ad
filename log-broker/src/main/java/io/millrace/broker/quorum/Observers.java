package io.millrace.broker.quorum;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.GroupInfoReply;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.util.ProtoUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the list of observers, which is part of the log, by asking the leader.
 * A change is made on the list as it was read, and tried again where another one came first.
 */
final class Observers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Observers.class);
    private static final int TRIES = 10;
    private static final int FOR_EVER = Integer.MAX_VALUE;

    private final QuorumMembership membership;
    private final LeaderClient leader;
    private final RaftPeer own;
    private final int pauseMs;
    private final int silenceMs;
    private volatile boolean closed;

    Observers(QuorumMembership membership, QuorumSettings settings, LeaderClient leader) {
        this.membership = membership;
        this.leader = leader;
        this.own = Peers.own(membership);
        this.pauseMs = settings.electionMinMs();
        this.silenceMs = settings.silenceMs();
    }

    /** Takes an observer off the list; completes at once where it is not on it. */
    CompletableFuture<Void> remove(int node) {
        if (membership.voters().stream().anyMatch(voter -> voter.id() == node)) {
            return CompletableFuture.failedFuture(
                    new IllegalArgumentException("node " + node + " votes, and only observers can be removed"));
        }
        return change(members -> members.without(node), TRIES);
    }

    /**
     * Puts this node on the list of observers. One observer that is down keeps Ratis from adding any other, so such are
     * taken off first; they join again.
     */
    CompletableFuture<Void> join() {
        return change(members -> members.observers.contains(own) ? members.observers : members.heardOf(), FOR_EVER)
                .thenCompose(done -> change(this::withSelf, FOR_EVER));
    }

    private List<RaftPeer> withSelf(Members members) {
        return members.observers.contains(own)
                ? members.observers
                : Stream.concat(members.without(membership.self()).stream(), Stream.of(own))
                        .toList();
    }

    /**
     * Ratis may stop to send entries to an observer that is on the list: all that were added in the term of a leader are
     * forgotten when one more cannot be added. It sends again to one that is taken off and put back.
     */
    CompletableFuture<Void> joinAgain() {
        return change(members -> members.without(membership.self()), FOR_EVER).thenCompose(done -> join());
    }

    private CompletableFuture<Void> change(Function<Members, List<RaftPeer>> edit, int tries) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        attempt(0, edit, tries, done);
        return done;
    }

    private void attempt(int delayMs, Function<Members, List<RaftPeer>> edit, int tries, CompletableFuture<Void> done) {
        later(delayMs, () -> {
                    try {
                        set(edit);
                        done.complete(null);
                    } catch (IOException e) {
                        if (closed || tries == 1) {
                            done.completeExceptionally(e);
                            return;
                        }
                        LOG.debug("could not change the observers of the metadata quorum; tries again", e);
                        attempt(pauseMs, edit, tries - 1, done);
                    }
                })
                .exceptionally(failure -> {
                    done.completeExceptionally(failure);
                    return null;
                });
    }

    private static CompletableFuture<Void> later(int delayMs, Runnable task) {
        return CompletableFuture.runAsync(task, CompletableFuture.delayedExecutor(delayMs, TimeUnit.MILLISECONDS));
    }

    /**
     * An observer that has the whole log already counts as caught up only when it takes one more entry, so it gets one.
     */
    private void set(Function<Members, List<RaftPeer>> edit) throws IOException {
        Members members = Members.of(leader.info(), silenceMs);
        List<RaftPeer> wanted = edit.apply(members);
        if (wanted.equals(members.observers)) {
            return;
        }
        later(pauseMs, leader::nudge);
        leader.change(SetConfigurationRequest.Arguments.newBuilder()
                .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                .setServersInCurrentConf(members.voters)
                .setListenersInCurrentConf(members.observers)
                .setServersInNewConf(members.voters)
                .setListenersInNewConf(wanted)
                .build());
    }

    /** @param silent those that have not answered the leader lately */
    private record Members(List<RaftPeer> voters, List<RaftPeer> observers, Set<RaftPeerId> silent) {
        static Members of(GroupInfoReply reply, int silenceMs) throws IOException {
            RaftConfigurationProto known =
                    reply.getConf().orElseThrow(() -> new IOException("the leader does not know the members"));
            Set<RaftPeerId> silent = reply.getRoleInfoProto().getLeaderInfo().getFollowerInfoList().stream()
                    .filter(follower -> follower.getLastRpcElapsedTimeMs() > silenceMs)
                    .map(follower -> RaftPeerId.valueOf(follower.getId().getId()))
                    .collect(Collectors.toSet());
            return new Members(
                    ProtoUtils.toRaftPeers(known.getPeersList()),
                    ProtoUtils.toRaftPeers(known.getListenersList()),
                    silent);
        }

        List<RaftPeer> without(int node) {
            return observers.stream()
                    .filter(observer -> Peers.node(observer.getId()) != node)
                    .toList();
        }

        List<RaftPeer> heardOf() {
            return observers.stream()
                    .filter(observer -> !silent.contains(observer.getId()))
                    .toList();
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
