package io.millrace.broker.api;

import io.millrace.broker.wire.FetchedRecords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;

/**
 * What a client fetches over and over, so that it need not say it again (KIP-227). Kept with the client's connection:
 * a client that reconnects begins a new one.
 */
final class FetchSession implements AutoCloseable {
    private final int id;
    private final AtomicInteger slotsTaken;
    private final Map<FetchWanted.Key, Entry> partitions = new LinkedHashMap<>();
    private int nextEpoch = 1;

    FetchSession(int id, AtomicInteger slotsTaken) {
        this.id = id;
        this.slotsTaken = slotsTaken;
    }

    int id() {
        return id;
    }

    int nextEpoch() {
        return nextEpoch;
    }

    void advance() {
        nextEpoch = nextEpoch == Integer.MAX_VALUE ? 1 : nextEpoch + 1;
    }

    void want(FetchWanted wanted) {
        Entry known = partitions.get(wanted.key());
        if (known == null) {
            partitions.put(wanted.key(), new Entry(wanted));
        } else {
            known.wanted = wanted;
        }
    }

    void forget(FetchWanted.Key key) {
        partitions.remove(key);
    }

    List<FetchWanted> all() {
        List<FetchWanted> all = new ArrayList<>(partitions.size());
        partitions.values().forEach(entry -> all.add(entry.wanted));
        return all;
    }

    /**
     * Whether a partition has something to tell since the last response. One that had records goes to the end of the
     * line, so that a full response does not starve the others.
     */
    boolean tell(FetchWanted.Key key, PartitionData data) {
        Entry entry = partitions.get(key);
        if (entry == null) {
            return true;
        }
        boolean records = FetchedRecords.sizeBytes(data) > 0;
        boolean elsewhere = data.divergingEpoch().epoch() >= 0 || data.preferredReadReplica() >= 0;
        boolean news = records || elsewhere || data.errorCode() != 0 || entry.differs(data);
        entry.remember(data);
        if (records) {
            partitions.remove(key);
            partitions.put(key, entry);
        }
        return news;
    }

    @Override
    public void close() {
        slotsTaken.decrementAndGet();
    }

    private static final class Entry {
        private FetchWanted wanted;
        private long highWatermark = -1;
        private long stableOffset = -1;
        private long startOffset = -1;

        Entry(FetchWanted wanted) {
            this.wanted = wanted;
        }

        boolean differs(PartitionData data) {
            return highWatermark != data.highWatermark()
                    || stableOffset != data.lastStableOffset()
                    || startOffset != data.logStartOffset();
        }

        void remember(PartitionData data) {
            // After an error everything has to be told again.
            boolean failed = data.errorCode() != 0;
            highWatermark = failed ? -1 : data.highWatermark();
            stableOffset = failed ? -1 : data.lastStableOffset();
            startOffset = failed ? -1 : data.logStartOffset();
        }
    }
}
