package io.millrace.broker.quorum;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.FollowerInfoProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.util.ProtoUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the list of observers, which is part of the log, by asking the leader; and keeps this node on it where it is one.
 * A change is made on the list as it was read, and tried again where another one came first.
 */
final class Observers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Observers.class);
    private static final int TRIES = 10;

    private final QuorumMembership membership;
    private final LocalRaft raft;
    private final RaftClient client;
    private final List<RaftPeer> voters;
    private final int pauseMs;
    private final int silenceMs;
    private volatile boolean closed;

    Observers(QuorumMembership membership, QuorumSettings settings, RaftProperties properties, LocalRaft raft) {
        this.membership = membership;
        this.raft = raft;
        this.voters = membership.voters().stream().map(Peers::voter).toList();
        this.pauseMs = settings.electionMinMs();
        this.silenceMs = 5 * settings.electionMaxMs();
        this.client = RaftClient.newBuilder()
                .setProperties(properties)
                .setRaftGroup(Peers.group(membership))
                .setRetryPolicy(RetryPolicies.noRetry())
                .build();
    }

    /** Takes an observer off the list; completes at once where it is not on it. */
    CompletableFuture<Void> remove(int node) {
        if (membership.voters().stream().anyMatch(voter -> voter.id() == node)) {
            return CompletableFuture.failedFuture(
                    new IllegalArgumentException("node " + node + " votes, and only observers can be removed"));
        }
        return change(observers -> without(observers, node), TRIES).thenAccept(changed -> {});
    }

    /** Puts this node on the list of observers, and sees to it that the leader does not forget it. */
    void follow() {
        change(this::withSelf, Integer.MAX_VALUE).thenRun(() -> watch(false));
    }

    /**
     * Ratis may stop to send entries to an observer that is on the list: all that were added in the term of a leader are
     * forgotten when one more cannot be added. It sends again to one that is taken off and put back.
     */
    private void watch(boolean wasSilent) {
        later(silenceMs, () -> {
            if (closed) {
                return;
            }
            boolean silent = silent();
            if (silent && wasSilent) {
                LOG.warn("has not heard of the leader of the metadata quorum for {} ms; joins again", silenceMs);
                joinAgain().whenComplete((done, failure) -> watch(false));
            } else {
                watch(silent);
            }
        });
    }

    private boolean silent() {
        DivisionInfo info = raft.info();
        FollowerInfoProto follower = info.getRoleInfoProto().getFollowerInfo();
        return info.getLeaderId() == null || follower.getLeaderInfo().getLastRpcElapsedTimeMs() > silenceMs;
    }

    /** One that was removed on purpose stays away until it is started again. */
    private CompletableFuture<Boolean> joinAgain() {
        return change(observers -> without(observers, membership.self()), TRIES)
                .thenCompose(was ->
                        was ? change(this::withSelf, Integer.MAX_VALUE) : CompletableFuture.completedFuture(false));
    }

    private List<RaftPeer> withSelf(List<RaftPeer> observers) {
        RaftPeer own = Peers.observer(membership.own());
        return observers.contains(own)
                ? observers
                : Stream.concat(without(observers, membership.self()).stream(), Stream.of(own))
                        .toList();
    }

    private static List<RaftPeer> without(List<RaftPeer> observers, int node) {
        return observers.stream()
                .filter(observer -> Peers.node(observer.getId()) != node)
                .toList();
    }

    /** Completes with whether there was anything to change. */
    private CompletableFuture<Boolean> change(UnaryOperator<List<RaftPeer>> edit, int tries) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        later(0, () -> attempt(edit, tries, done)).exceptionally(failure -> {
            done.completeExceptionally(failure);
            return null;
        });
        return done;
    }

    private void attempt(UnaryOperator<List<RaftPeer>> edit, int tries, CompletableFuture<Boolean> done) {
        try {
            done.complete(attempt(edit, voters.get(tries % voters.size())));
        } catch (IOException e) {
            if (closed || tries == 1) {
                done.completeExceptionally(e);
                return;
            }
            LOG.debug("could not change the observers of the metadata quorum, tries {} times more", tries - 1, e);
            later(pauseMs, () -> attempt(edit, tries - 1, done));
        }
    }

    private static CompletableFuture<Void> later(int delayMs, Runnable task) {
        return CompletableFuture.runAsync(task, CompletableFuture.delayedExecutor(delayMs, TimeUnit.MILLISECONDS));
    }

    /** @param witness a voter to ask for the list; one that is behind makes the change fail */
    private boolean attempt(UnaryOperator<List<RaftPeer>> edit, RaftPeer witness) throws IOException {
        RaftConfigurationProto known = client.getGroupManagementApi(witness.getId())
                .info(client.getGroupId())
                .getConf()
                .orElseThrow(() -> new IOException(witness + " does not know the members of the quorum"));
        List<RaftPeer> observers = ProtoUtils.toRaftPeers(known.getListenersList());
        List<RaftPeer> wanted = edit.apply(observers);
        if (known.getOldPeersCount() == 0 && wanted.equals(observers)) {
            return false;
        }
        List<RaftPeer> voting = ProtoUtils.toRaftPeers(known.getPeersList());
        RaftClientReply reply = client.admin()
                .setConfiguration(SetConfigurationRequest.Arguments.newBuilder()
                        .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                        .setServersInCurrentConf(voting)
                        .setListenersInCurrentConf(observers)
                        .setServersInNewConf(voting)
                        .setListenersInNewConf(wanted)
                        .build());
        if (!reply.isSuccess()) {
            throw reply.getException();
        }
        return true;
    }

    @Override
    public void close() {
        closed = true;
        try {
            client.close();
        } catch (IOException e) {
            LOG.warn("the client of the metadata quorum did not stop properly", e);
        }
    }
}
