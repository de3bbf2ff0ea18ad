package io.millrace.broker.quorum;

import io.millrace.broker.metadata.MetadataQuorum.Description;
import io.millrace.broker.metadata.MetadataQuorum.Member;
import io.millrace.kernel.Clock;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;

/** Who takes part and how far each has come, as this node knows it: only a leader knows of others. */
final class QuorumView {
    private final LocalRaft raft;
    private final Announcements announcements;
    private final Clock clock;

    QuorumView(LocalRaft raft, Announcements announcements, Clock clock) {
        this.raft = raft;
        this.announcements = announcements;
        this.clock = clock;
    }

    Description describe() {
        RaftServer.Division division = raft.division();
        Map<RaftPeerId, Follower> followers = followers(division.getInfo());
        Announcements.Leader leader = announcements.leader();
        return new Description(
                leader.node(),
                leader.term(),
                announcements.position(),
                members(division, RaftPeerRole.FOLLOWER, followers),
                members(division, RaftPeerRole.LISTENER, followers));
    }

    /** For how long more than half of the voters have not been heard of, all at once; for ever unless this node leads. */
    long silenceOfMajorityMs() {
        RaftServer.Division division = raft.division();
        Map<RaftPeerId, Follower> followers = followers(division.getInfo());
        long[] silences = division.getRaftConf().getCurrentPeers().stream()
                .map(RaftPeer::getId)
                .mapToLong(id -> id.equals(raft.self()) ? 0 : silentMs(followers.get(id)))
                .sorted()
                .toArray();
        return silences[silences.length / 2];
    }

    private static long silentMs(Follower follower) {
        return follower == null ? Long.MAX_VALUE : follower.silentMs;
    }

    /** The voter that would take least time to lead, among those that were heard of lately. */
    Optional<RaftPeerId> successor(long heardOfWithinMs) {
        RaftServer.Division division = raft.division();
        Map<RaftPeerId, Follower> followers = followers(division.getInfo());
        return division.getRaftConf().getCurrentPeers().stream()
                .map(RaftPeer::getId)
                .filter(id -> followers.containsKey(id) && followers.get(id).silentMs <= heardOfWithinMs)
                .max(Comparator.comparingLong(id -> followers.get(id).endOffset));
    }

    private List<Member> members(RaftServer.Division division, RaftPeerRole role, Map<RaftPeerId, Follower> followers) {
        Collection<RaftPeer> peers = division.getRaftConf().getCurrentPeers(role);
        return peers.stream()
                .map(RaftPeer::getId)
                .sorted(Comparator.comparingInt(Peers::node))
                .map(id -> member(division, id, followers.get(id)))
                .toList();
    }

    private Member member(RaftServer.Division division, RaftPeerId id, Follower follower) {
        long nowMs = clock.wallMs();
        if (id.equals(raft.self())) {
            long end = division.getRaftLog().getNextIndex() - 1;
            return new Member(Peers.node(id), end, nowMs, nowMs);
        }
        if (follower == null) {
            return new Member(Peers.node(id), -1, -1, -1);
        }
        boolean caughtUp = follower.endOffset >= division.getRaftLog().getLastCommittedIndex();
        long heardOfMs = nowMs - follower.silentMs;
        return new Member(Peers.node(id), follower.endOffset, heardOfMs, caughtUp ? heardOfMs : -1);
    }

    /** Empty unless this node leads. */
    private static Map<RaftPeerId, Follower> followers(DivisionInfo info) {
        List<ServerRpcProto> heardOf = info.getRoleInfoProto().getLeaderInfo().getFollowerInfoList();
        long[] ends = info.getFollowerMatchIndices();
        Map<RaftPeerId, Follower> followers = new HashMap<>();
        if (ends != null && ends.length == heardOf.size()) { // else the members change at this very moment
            for (int i = 0; i < ends.length; i++) {
                ServerRpcProto follower = heardOf.get(i);
                followers.put(
                        RaftPeerId.valueOf(follower.getId().getId()),
                        new Follower(ends[i], follower.getLastRpcElapsedTimeMs()));
            }
        }
        return followers;
    }

    private record Follower(long endOffset, long silentMs) {}
}
