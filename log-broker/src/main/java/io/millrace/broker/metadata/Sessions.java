package io.millrace.broker.metadata;

import io.millrace.broker.metadata.MetadataEvent.BrokerRemoved;
import io.millrace.broker.metadata.MetadataEvent.BrokerSeen;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * When each broker was heard of. Not part of the metadata: to a new controller it is as if all of them had been heard of
 * a quarter of a session ago. For that long nobody has heard of the old controller, which may be one of the silent ones.
 */
final class Sessions {
    private final long timeoutMs;
    private final long beganAtMs;
    private final Map<Integer, Long> seenAtMs = new HashMap<>();

    Sessions(long timeoutMs, long nowMs) {
        this.timeoutMs = timeoutMs;
        this.beganAtMs = nowMs - ControllerTimes.goneMs(timeoutMs);
    }

    boolean isOver(int broker, long nowMs) {
        return endMs(broker) <= nowMs;
    }

    private long endMs(int broker) {
        return seenAtMs.getOrDefault(broker, beganAtMs) + timeoutMs;
    }

    /** The brokers to fence, because their sessions are over. */
    List<BrokerImage> over(ClusterImage image, long nowMs) {
        return image.unfenced().stream()
                .filter(broker -> isOver(broker.id(), nowMs))
                .toList();
    }

    /** When the first session of a broker that is not fenced yet ends, if it is not heard of before. */
    long nextEndMs(ClusterImage image) {
        return image.unfenced().stream()
                .mapToLong(broker -> endMs(broker.id()))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    void apply(MetadataEvent event) {
        if (event instanceof BrokerSeen seen) {
            seenAtMs.put(seen.id(), seen.atMs());
        } else if (event instanceof BrokerRemoved removed) {
            seenAtMs.remove(removed.id());
        }
    }
}
