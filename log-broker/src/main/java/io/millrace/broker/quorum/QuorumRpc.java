package io.millrace.broker.quorum;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import org.apache.ratis.client.ClientFactory;
import org.apache.ratis.client.RaftClientRpc;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.netty.NettyFactory;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.ServerFactory;

/**
 * Ratis over Netty, but a voter that has not answered until the election was over is asked over a new connection the next
 * time. When a network has been cut for a while, the kernel sends again on the old one only after as long a while; Ratis
 * gives a request up sooner than it would find the connection dead, and would try it again and again.
 */
public final class QuorumRpc implements RpcType {
    /** Ratis makes it by the name of its class. */
    public QuorumRpc() {}

    @Override
    public String name() {
        return QuorumRpc.class.getName();
    }

    @Override
    public Factory newFactory(Parameters parameters) {
        return new Factory(new NettyFactory(parameters));
    }

    /** @param netty makes what is made here */
    record Factory(NettyFactory netty) implements ServerFactory, ClientFactory {
        @Override
        public RpcType getRpcType() {
            return SupportedRpcType.NETTY;
        }

        @Override
        public RaftServerRpc newRaftServerRpc(RaftServer server) {
            return new Server(netty.newRaftServerRpc(server));
        }

        @Override
        public RaftClientRpc newRaftClientRpc(ClientId id, RaftProperties properties) {
            return netty.newRaftClientRpc(id, properties);
        }
    }

    private record Server(RaftServerRpc netty) implements RaftServerRpc {
        @Override
        public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) throws IOException {
            try {
                return netty.requestVote(request);
            } catch (InterruptedIOException e) {
                netty.handleException(
                        RaftPeerId.valueOf(request.getServerRequest().getReplyId()), e, true);
                throw e;
            }
        }

        @Override
        public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request) throws IOException {
            return netty.appendEntries(request);
        }

        @Override
        public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request) throws IOException {
            return netty.installSnapshot(request);
        }

        @Override
        public StartLeaderElectionReplyProto startLeaderElection(StartLeaderElectionRequestProto request)
                throws IOException {
            return netty.startLeaderElection(request);
        }

        @Override
        public void handleException(RaftPeerId peer, Exception e, boolean reconnect) {
            netty.handleException(peer, e, reconnect);
        }

        @Override
        public void notifyNotLeader(RaftGroupId group) {
            netty.notifyNotLeader(group);
        }

        @Override
        public void addRaftPeers(Collection<RaftPeer> peers) {
            netty.addRaftPeers(peers);
        }

        @Override
        public RpcType getRpcType() {
            return netty.getRpcType();
        }

        @Override
        public InetSocketAddress getInetSocketAddress() {
            return netty.getInetSocketAddress();
        }

        @Override
        public void start() throws IOException {
            netty.start();
        }

        @Override
        public void close() throws IOException {
            netty.close();
        }
    }
}
