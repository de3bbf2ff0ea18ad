package io.millrace.broker;

import io.millrace.broker.metadata.LocalQuorum;
import io.millrace.broker.metadata.MetadataQuorum;
import io.millrace.broker.quorum.QuorumMembership;
import io.millrace.broker.quorum.QuorumNode;
import io.millrace.broker.quorum.QuorumSettings;
import io.millrace.broker.quorum.RatisQuorum;
import io.millrace.kernel.EventCodec;
import io.millrace.kernel.Host;
import io.millrace.kernel.Loop;
import java.util.List;

/** Quorums of several nodes. A node that was alone before brings its metadata with it if it is the first voter. */
record RatisQuorums(Voters voters, String host, int metadataPort) implements QuorumMaker {
    private static final String FOLDER = "metadata-quorum";

    @Override
    public MetadataQuorum make(Host world, Node node, Loop<Runnable> loop) {
        List<QuorumNode> voting = voters.all().stream()
                .map(voter -> new QuorumNode(voter.node(), voter.host(), voter.metadataPort()))
                .toList();
        boolean votes = voting.stream().anyMatch(voter -> voter.id() == node.id());
        List<QuorumNode> observing = votes ? List.of() : List.of(new QuorumNode(node.id(), host, metadataPort));
        List<EventCodec.Entry> seed = LocalQuorum.records(world, node.metadataLog());
        return RatisQuorum.open(
                world,
                new QuorumMembership(node.clusterId(), node.id(), voting, observing),
                QuorumSettings.DEFAULTS,
                node.folder().resolve(FOLDER),
                loop,
                seed);
    }
}
