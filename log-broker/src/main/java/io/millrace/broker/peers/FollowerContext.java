package io.millrace.broker.peers;

import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.wire.ClientProtocol;
import io.millrace.kernel.Network;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What fetchers work with.
 *
 * @param brokerEpoch under which this broker is registered
 */
record FollowerContext(
        int self, Network network, ClientProtocol protocol, Supplier<ClusterImage> image, LongSupplier brokerEpoch) {}
