package io.millrace.broker.quorum;

import io.millrace.broker.metadata.MetadataQuorum.Origin;
import io.millrace.broker.metadata.proto.ProposalRecord;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.LifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Ratis runs the log through. Entries are applied by one thread, in order; the same thread takes snapshots and says
 * that this node, once elected, is ready. Who leads is heard from any thread that Ratis finds out on.
 */
final class MetadataStateMachine extends BaseStateMachine {
    private static final Logger LOG = LoggerFactory.getLogger(MetadataStateMachine.class);

    private final LocalRaft raft;
    private final SnapshotFiles files;
    private final Announcements announcements;
    private final Forming forming;
    private final Runnable logFailed;
    private QuorumState state = new QuorumState();
    private long configurationTerm; // of the newest applied; an elected leader begins its term with one

    /** @param logFailed told when the log cannot be written, and is closed therefore */
    MetadataStateMachine(
            LocalRaft raft, SnapshotFiles files, Announcements announcements, Forming forming, Runnable logFailed) {
        this.raft = raft;
        this.files = files;
        this.announcements = announcements;
        this.forming = forming;
        this.logFailed = logFailed;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage folder) throws IOException {
        super.initialize(server, group, folder);
        getLifeCycle()
                .startAndTransition(
                        () -> {
                            files.open(folder);
                            load();
                        },
                        IOException.class);
    }

    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    /** A snapshot of the leader was put in the place of this node's own. */
    @Override
    public void reinitialize() throws IOException {
        load();
        getLifeCycle().transition(LifeCycle.State.STARTING);
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    private void load() throws IOException {
        Optional<SingleFileSnapshotInfo> newest = files.newest();
        state = newest.isPresent() ? QuorumState.of(files.read(newest.get())) : new QuorumState();
        TermIndex upTo = newest.map(SingleFileSnapshotInfo::getTermIndex).orElse(TermIndex.INITIAL_VALUE);
        setLastAppliedTermIndex(upTo);
        announcements.snapshot(upTo.getIndex(), state.entries());
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext context) {
        LogEntryProto entry = context.getLogEntry();
        ProposalRecord unit = parse(entry);
        if (state.take(entry.getTerm(), unit)) {
            announcements.committed(
                    entry.getIndex(),
                    new Origin(unit.getTerm(), unit.getNumber()),
                    QuorumState.entries(unit.getEntriesList()));
            if (unit.getFormed()) {
                forming.formed(entry.getTerm());
            }
        } else {
            LOG.debug("skips unit {} of term {} at {}", unit.getNumber(), unit.getTerm(), entry.getIndex());
        }
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    private static ProposalRecord parse(LogEntryProto entry) {
        try {
            return ProposalRecord.parseFrom(
                    entry.getStateMachineLogEntry().getLogData().asReadOnlyByteBuffer());
        } catch (IOException e) {
            throw new IllegalStateException("entry " + entry.getIndex() + " of the metadata log is not a unit", e);
        }
    }

    @Override
    public long takeSnapshot() throws IOException {
        TermIndex upTo = getLastAppliedTermIndex();
        if (upTo.getIndex() < RaftLog.LEAST_VALID_LOG_INDEX) {
            return RaftLog.INVALID_LOG_INDEX;
        }
        files.write(upTo, state.snapshot());
        return upTo.getIndex();
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return files.storage();
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId leader) {
        announcements.leader(Peers.node(leader), raft.info().getCurrentTerm());
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        announcements.lost();
    }

    @Override
    public void notifyConfigurationChanged(long term, long index, RaftConfigurationProto configuration) {
        configurationTerm = term;
    }

    @Override
    public void notifyLeaderReady() {
        forming.elected(configurationTerm, state.formed());
    }

    @Override
    public void notifyLogFailed(Throwable cause, LogEntryProto entry) {
        LOG.error("the metadata log of this node cannot be written, and will be opened again: {}", cause.toString());
        logFailed.run();
    }
}
