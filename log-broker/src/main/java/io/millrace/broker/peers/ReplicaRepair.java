package io.millrace.broker.peers;

import io.millrace.broker.log.CorruptBatchException;
import io.millrace.broker.log.SegmentRepair;
import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.Shard;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.broker.wire.FetchedRecords;
import io.millrace.broker.wire.Response;
import io.millrace.kernel.Clock;
import io.millrace.kernel.DiskException;
import java.util.List;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one damaged segment anew with what other replicas have at its offsets, which it reads as any client does.
 *
 * <pre>
 * waiting --the segment is below the recovery point--> asking
 * asking  --batches-->             asking, for what comes behind them
 * asking  --all of them-->         over
 * asking  --an error-->            waiting, and begins anew with the next replica
 * any     --the partition goes-->  over
 * </pre>
 */
final class ReplicaRepair {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaRepair.class);
    private static final long AGAIN_MS = 1_000;
    private static final long TIMEOUT_MS = 5_000;
    private static final int MAX_WAIT_MS = 500;
    private static final int MAX_BYTES = 4 << 20;

    private final FollowerContext context;
    private final Partition partition;
    private final Shard shard;
    private final long offset;
    private final Turn turn;
    private final Clock clock;
    private final Runnable over;
    private int attempts;
    private boolean ended;
    private BrokerImage peer;
    private PeerConnection connection;
    private SegmentRepair repair;

    /** @param over what to do when it has ended */
    ReplicaRepair(
            FollowerContext context,
            Partition partition,
            Shard shard,
            long offset,
            Turn turn,
            Clock clock,
            Runnable over) {
        this.context = context;
        this.partition = partition;
        this.shard = shard;
        this.offset = offset;
        this.turn = turn;
        this.clock = clock;
        this.over = over;
    }

    void begin() {
        if (ended) {
            return;
        }
        List<BrokerImage> peers = context.peersOf(partition.name());
        try {
            repair = peers.isEmpty() ? null : partition.log().beginRepair(offset);
        } catch (DiskException e) {
            LOG.warn("{}: a repair cannot begin yet: {}", partition.name(), e.getMessage());
            repair = null;
        }
        shard.touched(partition);
        if (repair == null) {
            turn.after(AGAIN_MS, this::begin);
            return;
        }
        peer = peers.get(attempts++ % peers.size());
        connection = PeerConnection.open(context.network(), turn, peer, context.protocol());
        ask();
    }

    private void ask() {
        FetchRequestData.FetchPartition wanted = new FetchRequestData.FetchPartition()
                .setPartition(partition.name().partition())
                .setFetchOffset(repair.nextOffset())
                .setPartitionMaxBytes(MAX_BYTES);
        FetchRequestData request =
                new FetchRequestData().setMaxWaitMs(MAX_WAIT_MS).setMinBytes(1).setMaxBytes(MAX_BYTES);
        request.topics()
                .add(new FetchRequestData.FetchTopic()
                        .setTopicId(partition.id().topicId())
                        .setPartitions(List.of(wanted)));
        connection.call(request, TIMEOUT_MS, this::answered);
    }

    private void answered(Response response, PeerUnavailable failure) {
        if (failure != null) {
            failed(failure.getMessage());
            return;
        }
        try {
            if (!ended) {
                take((FetchResponseData) response.body());
            }
        } catch (DiskException | CorruptBatchException e) {
            failed(e.getMessage());
        } finally {
            response.release();
            shard.touched(partition);
            shard.batchEnd();
        }
    }

    private void take(FetchResponseData response) {
        ErrorCode error = ErrorCode.of(response.errorCode());
        if (error != ErrorCode.NONE || response.responses().isEmpty()) {
            failed("it answers " + error);
            return;
        }
        PartitionData data = response.responses().get(0).partitions().get(0);
        error = ErrorCode.of(data.errorCode());
        if (error != ErrorCode.NONE) {
            failed("it answers " + error);
            return;
        }
        repair.add(FetchedRecords.received(data));
        if (!repair.isComplete()) {
            ask();
            return;
        }
        if (partition.log().completeRepair(repair, clock.wallMs())) {
            LOG.info(
                    "{}: the offsets from {} to {} have been taken from node {}",
                    partition.name(),
                    repair.startOffset(),
                    repair.endOffset(),
                    peer.id());
        }
        end();
    }

    private void failed(String why) {
        if (ended) {
            return;
        }
        LOG.warn("{}: nothing to repair it with from node {}: {}", partition.name(), peer.id(), why);
        repair.abandon();
        disconnect();
        turn.after(AGAIN_MS, this::begin);
    }

    void giveUp() {
        if (repair != null) {
            repair.abandon();
        }
        end();
    }

    private void end() {
        ended = true;
        disconnect();
        over.run();
    }

    private void disconnect() {
        if (connection != null) {
            PeerConnection gone = connection;
            connection = null;
            gone.close("the repair has ended");
        }
    }
}
