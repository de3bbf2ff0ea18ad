package io.millrace.broker.api;

import io.millrace.broker.log.ReadView;
import io.millrace.broker.log.Slice;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.partition.FetchWaits;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.broker.wire.FetchedRecords;
import io.millrace.kernel.Connection.FileRange;
import io.millrace.kernel.DiskException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;

/** One pass over the partitions of a fetch: what each has for the reader at this moment. */
final class FetchRead {
    private final ApiContext context;
    private final boolean committedOnly;
    private final List<Part> parts = new ArrayList<>();
    private final List<FileRange> cold = new ArrayList<>();
    private int roomBytes;
    private int sizeBytes;
    private boolean urgent;

    FetchRead(ApiContext context, boolean committedOnly, int maxBytes) {
        this.context = context;
        this.committedOnly = committedOnly;
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

    /** What would have to wait for the disk. */
    List<FileRange> cold() {
        return cold;
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
        ErrorCode refusal = place == null ? missing(wanted) : refusal(wanted, place);
        if (refusal != ErrorCode.NONE) {
            add(wanted, data.setErrorCode(refusal.code()), -1);
            urgent = true;
            return;
        }
        ReadView view = place.partition().view();
        data.setHighWatermark(view.highWatermark())
                .setLastStableOffset(view.lastStableOffset())
                .setLogStartOffset(view.startOffset());
        long end = committedOnly ? view.lastStableOffset() : view.highWatermark();
        long offset = wanted.request().fetchOffset();
        if (offset < view.startOffset() || offset > view.endOffset()) {
            data.setErrorCode(ErrorCode.OFFSET_OUT_OF_RANGE.code());
            urgent = true;
        } else if (offset < end && (roomBytes > 0 || sizeBytes == 0)) {
            read(wanted, view, end, data);
        }
        add(wanted, data, end);
    }

    private void read(FetchWanted wanted, ReadView view, long end, PartitionData data) {
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
            if (slice.upToOffset() < end && !range.file().isInMemory(range.position(), range.sizeBytes())) {
                cold.add(range);
            }
            sizeBytes += slice.sizeBytes();
            roomBytes -= slice.sizeBytes();
            if (committedOnly) {
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

    private static ErrorCode refusal(FetchWanted wanted, PartitionRegistry.Place place) {
        boolean sameTopic = !Topics.isGiven(wanted.topicId())
                || wanted.topicId().equals(place.partition().id().topicId());
        return sameTopic
                ? Topics.epochRefusal(place, wanted.request().currentLeaderEpoch())
                : ErrorCode.INCONSISTENT_TOPIC_ID;
    }

    private void add(FetchWanted wanted, PartitionData data, long seenEnd) {
        parts.add(new Part(wanted, data, seenEnd));
    }

    /** What to wait for when there is too little. */
    List<FetchWaits.Wait> waits() {
        List<FetchWaits.Wait> waits = new ArrayList<>(parts.size());
        for (Part part : parts) {
            if (part.seenEnd() >= 0) {
                waits.add(new FetchWaits.Wait(part.wanted().partition(), committedOnly, part.seenEnd()));
            }
        }
        return waits;
    }

    /** @param seenEnd the end of what the reader could see; -1 where there is nothing to wait for */
    record Part(FetchWanted wanted, PartitionData data, long seenEnd) {}
}
