package io.millrace.broker.wire;

import io.millrace.kernel.Connection.FileRange;
import java.util.List;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;

/** The records in the response to a fetch, which stay in their file until they are sent. */
public final class FetchedRecords {
    private FetchedRecords() {}

    /** Puts ranges of files into a response, which owns their references from then on. */
    public static void put(PartitionData partition, List<FileRange> ranges) {
        partition.setRecords(new StoredRecords(ranges));
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
