package io.millrace.broker.quorum;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.ProtoUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This node's member of the Raft group, and what may be asked of it from within the process; any thread. */
final class LocalRaft {
    private static final Logger LOG = LoggerFactory.getLogger(LocalRaft.class);
    private static final int CLOSE_MS = 10_000;

    private final RaftGroupId group;
    private final RaftPeerId self;
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();
    private volatile RaftServer server;

    LocalRaft(RaftGroupId group, RaftPeerId self) {
        this.group = group;
        this.self = self;
    }

    /** @throws CompletionException around the cause, where its files cannot be used */
    void start(RaftServer toRun) throws IOException {
        server = toRun;
        try {
            toRun.start();
        } catch (IOException | CompletionException e) {
            // Ratis closes a server that did not start without closing its parts
            division().close();
            toRun.getServerRpc().close();
            throw e;
        }
    }

    RaftPeerId self() {
        return self;
    }

    /**
     * Writes an entry to the log, where this node leads. Entries of one thread keep their order, because Ratis returns
     * only when it has put the entry into its log (not yet to disk).
     */
    CompletableFuture<RaftClientReply> append(byte[] entry) {
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(self)
                .setGroupId(group)
                .setCallId(calls.incrementAndGet())
                .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(entry)))
                .setType(RaftClientRequest.writeRequestType())
                .build();
        try {
            return server.submitClientRequestAsync(request);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Hands the leadership over; to whoever is elected next where the new leader is null. */
    CompletableFuture<RaftClientReply> handOver(RaftPeerId newLeader, long timeoutMs) {
        try {
            return server.transferLeadershipAsync(
                    new TransferLeadershipRequest(client, self, group, calls.incrementAndGet(), newLeader, timeoutMs));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Begins an election in place of the leader, as if the leader itself had asked for it to hand over: without asking the
     * others first whether they miss it, too.
     */
    void standForElection(String leader) {
        try {
            TermIndex last = division().getRaftLog().getLastEntryTermIndex();
            if (last != null) { // or its log is a snapshot alone
                server.startLeaderElection(inTheNameOf(leader, last));
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.info("cannot stand for election now; the metadata quorum elects a leader in its own time", e);
        }
    }

    private StartLeaderElectionRequestProto inTheNameOf(String leader, TermIndex last) {
        return StartLeaderElectionRequestProto.newBuilder()
                .setServerRequest(RaftRpcRequestProto.newBuilder()
                        .setRequestorId(RaftPeerId.valueOf(leader).toByteString())
                        .setReplyId(self.toByteString())
                        .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(group)))
                .setLeaderLastEntry(last.toProto())
                .build();
    }

    RaftServer.Division division() {
        try {
            return server.getDivision(group);
        } catch (IOException e) {
            throw new UncheckedIOException("the metadata quorum of this node is not running", e);
        }
    }

    DivisionInfo info() {
        return division().getInfo();
    }

    boolean leads(long term) {
        if (server.getLifeCycleState().isClosingOrClosed()) {
            return false;
        }
        DivisionInfo info = info();
        return info.isAlive() && info.isLeader() && info.getCurrentTerm() == term;
    }

    void close() {
        try {
            CompletableFuture.runAsync(this::closeServer).get(CLOSE_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warn("the metadata quorum of this node did not stop within {} ms; it is left alone", CLOSE_MS);
        } catch (ExecutionException e) {
            LOG.warn("the metadata quorum of this node did not stop properly", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeServer() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
