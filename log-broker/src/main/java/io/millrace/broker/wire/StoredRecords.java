package io.millrace.broker.wire;

import io.millrace.kernel.Connection.FileRange;
import java.util.List;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.RecordsSend;

/** Records of a response that stay in their file until the system copies them to the socket. */
final class StoredRecords implements BaseRecords {
    private final List<FileRange> ranges;
    private final int sizeBytes;

    StoredRecords(List<FileRange> ranges) {
        this.ranges = List.copyOf(ranges);
        this.sizeBytes = ranges.stream().mapToInt(FileRange::sizeBytes).sum();
    }

    List<FileRange> ranges() {
        return ranges;
    }

    void release() {
        ranges.forEach(FileRange::release);
    }

    @Override
    public int sizeInBytes() {
        return sizeBytes;
    }

    @Override
    public RecordsSend<? extends BaseRecords> toSend() {
        throw new UnsupportedOperationException("stored records are sent as file ranges");
    }
}
