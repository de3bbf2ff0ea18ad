package io.millrace.broker.api;

import io.millrace.broker.log.OffsetAndEpoch;
import io.millrace.broker.log.ReadView;
import io.millrace.broker.log.Slice;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.partition.FetchWaits;
import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.partition.Sight;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.broker.wire.FetchedRecords;
import io.millrace.kernel.Connection.FileRange;
import io.millrace.kernel.DiskException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;

/** One pass over the partitions of a fetch: what each has for the reader at this moment. */
final class FetchRead {
    private final ApiContext context;
    private final FetchReader reader;
    private final List<Part> parts = new ArrayList<>();
    private final List<UnprovenRead> unproven = new ArrayList<>();
    private int roomBytes;
    private int sizeBytes;
    private boolean urgent;
    private long throttledBytes;
    private long throttledMs = Long.MAX_VALUE;

    FetchRead(ApiContext context, FetchReader reader, int maxBytes) {
        this.context = context;
        this.reader = reader;
        this.roomBytes = maxBytes;
    }

    List<Part> parts() {
        return parts;
    }

    int sizeBytes() {
        return sizeBytes;
    }

    /** Whether there is something that must not wait, such as an error. */
    boolean urgent() {
        return urgent;
    }

    /** How much of it is throttled. */
    long throttledBytes() {
        return throttledBytes;
    }

    /** After how long to read again because there is more that is throttled; {@link Long#MAX_VALUE} for never. */
    long throttledMs() {
        return throttledMs;
    }

    /** What has to be read through before it is sent. */
    List<UnprovenRead> unproven() {
        return unproven;
    }

    /** Lets go of what was read. */
    void release() {
        parts.forEach(part -> FetchedRecords.release(part.data()));
    }

    void read(FetchWanted wanted) {
        PartitionRegistry.Place place =
                wanted.name() == null ? null : context.partitions().find(wanted.partition());
        PartitionData data = new PartitionData()
                .setPartitionIndex(wanted.request().partition())
                .setHighWatermark(-1);
        FetchedRecords.put(data, List.of());
        ErrorCode refusal = place == null ? missing(wanted) : refusal(wanted, place, reader);
        if (refusal != ErrorCode.NONE) {
            add(wanted, data.setErrorCode(refusal.code()), -1);
            urgent = true;
            return;
        }
        boolean leads = place.partition().standing().leads();
        boolean knowsAll = !leads || place.partition().pastIsCommitted();
        ReadView view = place.partition().view();
        data.setLogStartOffset(view.startOffset());
        if (knowsAll || reader.isReplica()) {
            data.setHighWatermark(view.highWatermark()).setLastStableOffset(view.lastStableOffset());
        } // else the last leader may have told a client more, which must not seem to be gone
        long end = reader.sight().end(view);
        long offset = wanted.request().fetchOffset();
        int closer = leads ? reader.closerReplica(context, wanted.partition()) : FetchReader.NOBODY;
        if (closer != FetchReader.NOBODY) {
            data.setPreferredReadReplica(closer);
            urgent = true;
        } else if (!leads && offset > view.endOffset()) {
            data.setErrorCode(ErrorCode.OFFSET_NOT_AVAILABLE.code()); // this replica is not that far yet
            urgent = true;
        } else if (parts(wanted.request(), view, data)) {
            urgent = true;
        } else if (offset > view.endOffset() && place.partition().mayHaveSuccessor()) {
            data.setErrorCode(ErrorCode.NOT_LEADER_OR_FOLLOWER.code()); // which may have that much by now
            urgent = true;
        } else if (offset < view.startOffset() || offset > view.endOffset()) {
            data.setErrorCode(ErrorCode.OFFSET_OUT_OF_RANGE.code());
            urgent = true;
        } else if (offset < end && isHeldUp(place.partition())) {
            end = -1; // more of it makes no difference
        } else if (offset < end && (roomBytes > 0 || sizeBytes == 0)) {
            read(wanted, place, end, view, data);
        }
        add(wanted, data, end);
    }

    private boolean isHeldUp(Partition partition) {
        long waitMs = isThrottled(partition) ? context.leaderThrottle().waitMs() : 0;
        if (waitMs > 0) {
            throttledMs = waitMs;
        }
        return waitMs > 0;
    }

    private boolean isThrottled(Partition partition) {
        return reader.isReplica() && context.leaderThrottle().covers(partition, reader.replica());
    }

    /** Whether the reader's log is not a part of this one (KIP-595); the answer then says where they part. */
    static boolean parts(FetchPartition wanted, ReadView view, PartitionData data) {
        if (wanted.lastFetchedEpoch() < 0) {
            return false;
        }
        boolean unheardOf = wanted.lastFetchedEpoch() > view.latestEpoch(); // a reader's damage, or a leader's loss
        OffsetAndEpoch end = unheardOf
                ? new OffsetAndEpoch(view.endOffset(), view.latestEpoch())
                : view.epochEnd(wanted.lastFetchedEpoch());
        boolean parts =
                end.offset() >= 0 && (end.epoch() < wanted.lastFetchedEpoch() || end.offset() < wanted.fetchOffset());
        if (parts) {
            data.setDivergingEpoch(
                    new FetchResponseData.EpochEndOffset().setEpoch(end.epoch()).setEndOffset(end.offset()));
        }
        return parts;
    }

    private void read(FetchWanted wanted, PartitionRegistry.Place place, long end, ReadView view, PartitionData data) {
        long offset = wanted.request().fetchOffset();
        int limit = Math.min(wanted.request().partitionMaxBytes(), roomBytes);
        try {
            // A batch larger than all limits must get through, or the reader would stand still before it for ever.
            Slice slice = view.read(offset, Math.max(0, limit), end, sizeBytes == 0);
            if (slice.isEmpty()) {
                return;
            }
            FileRange range = new FileRange(slice.file(), slice.position(), slice.sizeBytes());
            FetchedRecords.put(data, List.of(range));
            // who reads at the end reads what has just been written
            boolean cold = slice.upToOffset() < end && !range.file().isInMemory(range.position(), range.sizeBytes());
            if (cold || !slice.isKnownSound()) {
                unproven.add(new UnprovenRead(place, slice, data));
            }
            sizeBytes += slice.sizeBytes();
            roomBytes -= slice.sizeBytes();
            throttledBytes += isThrottled(place.partition()) ? slice.sizeBytes() : 0;
            if (reader.sight() == Sight.DECIDED) {
                List<AbortedTransaction> aborted = new ArrayList<>();
                view.aborted(offset, Math.min(end, slice.upToOffset()))
                        .forEach(one -> aborted.add(new AbortedTransaction()
                                .setProducerId(one.producerId())
                                .setFirstOffset(one.firstOffset())));
                data.setAbortedTransactions(aborted);
            }
        } catch (DiskException e) {
            data.setErrorCode(ErrorCode.KAFKA_STORAGE_ERROR.code());
            urgent = true;
        }
    }

    private ErrorCode missing(FetchWanted wanted) {
        TopicImage topic = Topics.find(context.image(), wanted.name(), wanted.topicId());
        return topic == null
                ? Topics.unknown(wanted.topicId())
                : Topics.missing(topic, wanted.request().partition());
    }

    private static ErrorCode refusal(FetchWanted wanted, PartitionRegistry.Place place, FetchReader reader) {
        boolean sameTopic = !Topics.isGiven(wanted.topicId())
                || wanted.topicId().equals(place.partition().id().topicId());
        if (!sameTopic) {
            return ErrorCode.INCONSISTENT_TOPIC_ID;
        }
        ErrorCode epoch = Topics.epochRefusal(place, wanted.request().currentLeaderEpoch());
        boolean served = place.partition().standing().leads() || reader.followersServe();
        return epoch == ErrorCode.NONE && !served ? ErrorCode.NOT_LEADER_OR_FOLLOWER : epoch;
    }

    private void add(FetchWanted wanted, PartitionData data, long seenEnd) {
        parts.add(new Part(wanted, data, seenEnd));
    }

    /** What to wait for when there is too little. */
    List<FetchWaits.Wait> waits() {
        List<FetchWaits.Wait> waits = new ArrayList<>(parts.size());
        for (Part part : parts) {
            if (part.seenEnd() >= 0) {
                waits.add(new FetchWaits.Wait(part.wanted().partition(), reader.sight(), part.seenEnd()));
            }
        }
        return waits;
    }

    /** @param seenEnd the end of what the reader could see; -1 where there is nothing to wait for */
    record Part(FetchWanted wanted, PartitionData data, long seenEnd) {}
}
