package io.millrace.broker.quorum;

import java.io.InterruptedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.apache.ratis.client.ClientFactory;
import org.apache.ratis.client.RaftClientRpc;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.netty.NettyFactory;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.ClientId;
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
            RaftServerRpc rpc = netty.newRaftServerRpc(server);
            return (RaftServerRpc) Proxy.newProxyInstance(
                    QuorumRpc.class.getClassLoader(),
                    new Class<?>[] {RaftServerRpc.class},
                    (self, method, arguments) -> {
                        try {
                            return method.invoke(rpc, arguments);
                        } catch (InvocationTargetException e) {
                            if (e.getCause() instanceof InterruptedIOException late
                                    && arguments[0] instanceof RequestVoteRequestProto vote) {
                                rpc.handleException(voter(vote), late, true);
                            }
                            throw e.getCause();
                        }
                    });
        }

        private static RaftPeerId voter(RequestVoteRequestProto vote) {
            return RaftPeerId.valueOf(vote.getServerRequest().getReplyId());
        }

        @Override
        public RaftClientRpc newRaftClientRpc(ClientId id, RaftProperties properties) {
            return netty.newRaftClientRpc(id, properties);
        }
    }
}
