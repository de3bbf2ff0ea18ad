package io.millrace.broker;

import io.millrace.broker.metadata.LocalQuorum;
import io.millrace.broker.metadata.MetadataQuorum;
import io.millrace.kernel.Host;
import io.millrace.kernel.Loop;
import java.nio.file.Path;

/** Makes a node's part in the agreement on metadata. */
@FunctionalInterface
public interface QuorumMaker {

    /** A node that agrees with itself alone. */
    QuorumMaker LOCAL = (world, node, loop) -> LocalQuorum.open(world, node.id(), node.metadataLog());

    /** @param loop runs what the quorum has to tell */
    MetadataQuorum make(Host world, Node node, Loop<Runnable> loop);

    /** @param metadataLog the log of a node that is alone */
    record Node(int id, String clusterId, Path folder, Path metadataLog) {}
}
