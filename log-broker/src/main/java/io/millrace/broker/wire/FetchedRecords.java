package io.millrace.broker.wire;

import io.millrace.kernel.Connection.FileRange;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** The records in the response to a fetch, which stay in their file until they are sent. */
public final class FetchedRecords {
    private FetchedRecords() {}

    /** Puts ranges of files into a response, which owns their references from then on. */
    public static void put(PartitionData partition, List<FileRange> ranges) {
        partition.setRecords(new StoredRecords(ranges));
    }

    /** The records of a response that was received: a view of its frame. */
    public static ByteBuffer received(PartitionData partition) {
        return partition.records() instanceof MemoryRecords records
                ? records.buffer().duplicate()
                : ByteBuffer.allocate(0);
    }

    public static int sizeBytes(PartitionData partition) {
        return partition.records() == null ? 0 : partition.records().sizeInBytes();
    }

    /** Lets go of the files of a response that will not be sent. */
    public static void release(PartitionData partition) {
        if (partition.records() instanceof StoredRecords stored) {
            stored.release();
        }
    }
}
