package io.millrace.broker.peers;

import io.millrace.broker.log.Appended;
import io.millrace.broker.log.OffsetAndEpoch;
import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.ReplicationThrottle;
import io.millrace.broker.partition.Shard;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.broker.wire.FetchedRecords;
import io.millrace.broker.wire.Response;
import io.millrace.kernel.DiskException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches for all partitions of one shard that follow one leader. What it asks for tells the leader what is stored here,
 * so it asks only when everything it has taken in is stored.
 *
 * <pre>
 * resting  --a partition is added, or its records are stored-->  asking
 * asking   --answer-->  resting, and asks again at once; after an error, a little later
 * asking   --a partition is added-->  asking on a new connection: the old question may wait for long
 * </pre>
 *
 * <p>What is throttled is left out of questions until there is room for more (KIP-73).
 */
final class ReplicaFetcher {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaFetcher.class);
    private static final int MAX_WAIT_MS = 500;
    private static final int MAX_BYTES = 10 << 20;
    private static final int PARTITION_MAX_BYTES = 1 << 20;
    private static final long TIMEOUT_MS = 5_000;
    private static final long AGAIN_MS = 50;

    private final FollowerContext context;
    private final ReplicationThrottle throttle;
    private final int leader;
    private final Shard shard;
    private final Turn turn;
    private final ReplicaSession session;
    private final Map<Key, Partition> partitions = new LinkedHashMap<>();
    private PeerConnection connection;
    private long connectedEpoch;
    private boolean asking;
    private boolean waiting;

    ReplicaFetcher(FollowerContext context, ReplicationThrottle throttle, int leader, Shard shard, Turn turn) {
        this.context = context;
        this.throttle = throttle;
        this.leader = leader;
        this.shard = shard;
        this.turn = turn;
        this.session = new ReplicaSession(context.self());
    }

    void add(Partition partition) {
        partitions.put(Key.of(partition), partition);
        if (asking) {
            disconnect("it asks for more partitions");
        }
        askLater(0);
    }

    void remove(Partition partition) {
        partitions.remove(Key.of(partition));
        if (partitions.isEmpty()) {
            disconnect("nothing is followed there");
        }
    }

    private void disconnect(String why) {
        asking = false;
        session.reset();
        if (connection != null) {
            PeerConnection gone = connection;
            connection = null;
            gone.close(why);
        }
    }

    /** Several reasons to ask become one question. */
    private void askLater(long delayMs) {
        if (!waiting) {
            waiting = true;
            turn.after(delayMs, () -> {
                waiting = false;
                ask();
            });
        }
    }

    /** Asks unless it has asked, or some of what it has taken in is not stored yet: that will be told. */
    void ask() {
        if (asking || partitions.isEmpty()) {
            return;
        }
        if (!partitions.values().stream().allMatch(Partition::readyToFetch)) {
            // so that a force that a full disk has kept from beginning is tried again
            partitions.values().forEach(shard::touched);
            askLater(AGAIN_MS);
            return;
        }
        long throttledMs = throttle.waitMs();
        Collection<Partition> wanted = throttledMs > 0 ? unthrottled() : partitions.values();
        if (wanted.isEmpty()) {
            askLater(throttledMs);
            return;
        }
        BrokerImage peer = context.image().get().broker(leader);
        if (peer == null) {
            askLater(AGAIN_MS);
            return;
        }
        connect(peer);
        asking = true;
        boolean all = wanted.size() == partitions.size();
        int maxWaitMs = all ? MAX_WAIT_MS : (int) throttledMs; // then those that are left out may have their turn
        FetchRequestData request =
                session.request(wanted, context.brokerEpoch().getAsLong(), maxWaitMs, MAX_BYTES, PARTITION_MAX_BYTES);
        PeerConnection asked = connection;
        asked.call(request, TIMEOUT_MS, (response, failure) -> answered(asked, response, failure));
    }

    /** What may be asked for although nothing more is to be copied for now. */
    private List<Partition> unthrottled() {
        return partitions.values().stream()
                .filter(partition -> !throttle.covers(partition, context.self()))
                .toList();
    }

    private void connect(BrokerImage peer) {
        if (connection != null && (connection.isClosed() || connectedEpoch != peer.epoch())) {
            disconnect("node " + leader + " has started again");
        }
        if (connection == null) {
            connection = PeerConnection.open(context.network(), turn, peer, context.protocol());
            connectedEpoch = peer.epoch();
        }
    }

    @SuppressWarnings("ReferenceEquality") // an answer of a connection that was given up
    private void answered(PeerConnection asked, Response response, PeerUnavailable failure) {
        if (asked != connection) {
            if (response != null) {
                response.release();
            }
            return;
        }
        asking = false;
        if (failure != null) {
            LOG.debug("no records from node {}: {}", leader, failure.getMessage());
            disconnect(failure.getMessage());
            askLater(AGAIN_MS);
            return;
        }
        boolean fine;
        try {
            fine = take((FetchResponseData) response.body());
        } finally {
            response.release();
        }
        if (fine) {
            ask();
        } else {
            askLater(AGAIN_MS);
        }
    }

    /** @return whether everything went well */
    private boolean take(FetchResponseData response) {
        if (response.errorCode() != ErrorCode.NONE.code()) {
            session.reset();
            return false;
        }
        session.answered(response);
        boolean fine = true;
        for (FetchableTopicResponse topic : response.responses()) {
            for (PartitionData data : topic.partitions()) {
                Partition partition = partitions.get(new Key(topic.topicId(), data.partitionIndex()));
                if (partition != null) {
                    count(partition, data);
                    fine &= take(partition, data);
                    shard.touched(partition);
                }
            }
        }
        shard.batchEnd();
        return fine;
    }

    private void count(Partition partition, PartitionData data) {
        if (throttle.covers(partition, context.self())) {
            throttle.copied(FetchedRecords.sizeBytes(data));
        }
    }

    private boolean take(Partition partition, PartitionData data) {
        try {
            if (data.errorCode() == ErrorCode.OFFSET_OUT_OF_RANGE.code()) {
                return outOfRange(partition, data);
            }
            if (data.errorCode() != ErrorCode.NONE.code()) {
                LOG.debug("{}: node {} answers error {}", partition.name(), leader, data.errorCode());
                return false;
            }
            FetchResponseData.EpochEndOffset parted = data.divergingEpoch();
            if (parted.epoch() >= 0) {
                partition.following().truncate(new OffsetAndEpoch(parted.endOffset(), parted.epoch()));
                return true;
            }
            return append(partition, data);
        } catch (DiskException e) {
            shard.failed(partition, e);
            return false;
        }
    }

    private boolean append(Partition partition, PartitionData data) {
        Appended appended = partition
                .following()
                .append(FetchedRecords.received(data), data.highWatermark(), data.logStartOffset());
        if (appended instanceof Appended.Refused refused) {
            LOG.warn(
                    "{}: what node {} sent for offset {} cannot be taken and is fetched again: {}",
                    partition.name(),
                    leader,
                    partition.log().endOffset(),
                    refused.message());
            return false;
        }
        return true;
    }

    private static boolean outOfRange(Partition partition, PartitionData data) {
        if (partition.log().endOffset() < data.logStartOffset()) {
            partition.following().restartAt(data.logStartOffset());
        } else {
            partition.following().truncateTo(Math.max(data.highWatermark(), data.logStartOffset()));
        }
        return true;
    }

    /** As responses name a partition. */
    private record Key(Uuid topicId, int partition) {
        static Key of(Partition partition) {
            return new Key(partition.id().topicId(), partition.name().partition());
        }
    }
}
