package io.millrace.broker.quorum;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.FollowerInfoProto;
import org.apache.ratis.server.DivisionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that this node does not hear of the leader, and has something done about it: Ratis may leave a member out for the
 * rest of a term. One silent look may be an election, so it takes two in a row; and each time that it did not help, the next
 * try comes after twice the time.
 */
final class SilenceWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SilenceWatch.class);
    private static final int MOST_LOOKS = 64; // between two tries

    private final LocalRaft raft;
    private final int pauseMs;
    private final Executor later;
    private final String remedyName;
    private final Supplier<CompletableFuture<Void>> remedy;
    private volatile boolean closed;

    /**
     * @param pauseMs between two looks, and how long the leader may be silent
     * @param remedy what completes when it has been done, with or without success
     */
    SilenceWatch(LocalRaft raft, int pauseMs, String remedyName, Supplier<CompletableFuture<Void>> remedy) {
        this.raft = raft;
        this.pauseMs = pauseMs;
        this.later = CompletableFuture.delayedExecutor(pauseMs, TimeUnit.MILLISECONDS);
        this.remedyName = remedyName;
        this.remedy = remedy;
    }

    void start() {
        look(0, 2);
    }

    /** @param patience how many looks in a row may be silent, the last of which is too much */
    private void look(int silentBefore, int patience) {
        later.execute(() -> {
            if (closed) {
                return;
            }
            if (!isSilent()) {
                look(0, 2);
            } else if (silentBefore + 1 < patience) {
                look(silentBefore + 1, patience);
            } else {
                LOG.warn(
                        "has not heard of the leader of the metadata quorum for {} ms; {}",
                        patience * pauseMs,
                        remedyName);
                remedy.get().whenComplete((done, failure) -> look(0, Math.min(2 * patience, MOST_LOOKS)));
            }
        });
    }

    private boolean isSilent() {
        try {
            DivisionInfo info = raft.info();
            FollowerInfoProto follower = info.getRoleInfoProto().getFollowerInfo();
            return info.getLeaderId() == null || follower.getLeaderInfo().getLastRpcElapsedTimeMs() > pauseMs;
        } catch (RuntimeException e) {
            LOG.debug("the metadata log is just being opened again", e);
            return false;
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
