package io.millrace.broker.api;

import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Who leads now, told to a client that asked the wrong broker, so that it need not ask for metadata first (KIP-951). */
final class CurrentLeaders {
    private final ClusterImage image;
    private final SortedSet<Integer> named = new TreeSet<>();

    CurrentLeaders(ClusterImage image) {
        this.image = image;
    }

    /** The partition where its leader is worth telling for an error; else null. */
    PartitionImage worthTelling(ErrorCode error, String topic, int partition) {
        boolean moved = error == ErrorCode.NOT_LEADER_OR_FOLLOWER || error == ErrorCode.FENCED_LEADER_EPOCH;
        PartitionImage known = moved ? image.partition(topic, partition) : null;
        if (known == null || !known.hasLeader()) {
            return null;
        }
        named.add(known.leader());
        return known;
    }

    /** Where the leaders that were told are found. */
    List<BrokerImage> endpoints() {
        List<BrokerImage> endpoints = new ArrayList<>();
        for (int node : named) {
            BrokerImage broker = image.broker(node);
            if (broker != null) {
                endpoints.add(broker);
            }
        }
        return endpoints;
    }

    /** As responses say that no rack is known. */
    static String rack(BrokerImage broker) {
        return broker.rack().isEmpty() ? null : broker.rack();
    }
}
