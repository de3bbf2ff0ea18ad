package io.millrace.broker.quorum;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * Nodes as Ratis names them. The name of an observer contains its address: Ratis keeps the first address that it hears of
 * for a name, so an observer that comes back at another address must come back under another name.
 */
final class Peers {
    private static final char ADDRESS = '@';

    private Peers() {}

    static RaftPeer voter(QuorumNode node) {
        return RaftPeer.newBuilder()
                .setId(Integer.toString(node.id()))
                .setAddress(node.address())
                .build();
    }

    static RaftPeer observer(QuorumNode node) {
        return RaftPeer.newBuilder()
                .setId(Integer.toString(node.id()) + ADDRESS + node.address().replace(':', '_'))
                .setAddress(node.address())
                .setStartupRole(RaftPeerRole.LISTENER)
                .build();
    }

    static RaftPeer own(QuorumMembership membership) {
        return membership.votes() ? voter(membership.own()) : observer(membership.own());
    }

    static int node(RaftPeerId id) {
        String name = id.toString();
        int end = name.indexOf(ADDRESS);
        return Integer.parseInt(end < 0 ? name : name.substring(0, end));
    }

    static RaftGroup group(QuorumMembership membership) {
        List<RaftPeer> peers = Stream.concat(
                        membership.voters().stream().map(Peers::voter),
                        membership.observers().stream().map(Peers::observer))
                .toList();
        return RaftGroup.valueOf(groupId(membership.clusterId()), peers);
    }

    private static RaftGroupId groupId(String clusterId) {
        Uuid uuid = Uuid.fromString(clusterId);
        return RaftGroupId.valueOf(new UUID(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits()));
    }
}
