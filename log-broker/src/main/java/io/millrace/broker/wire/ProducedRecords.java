package io.millrace.broker.wire;

import java.nio.ByteBuffer;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** The bytes that a produce request carries for a partition. */
public final class ProducedRecords {
    private ProducedRecords() {}

    /** A view of the request's frame; empty where the request carries none. */
    public static ByteBuffer of(PartitionProduceData partition) {
        return partition.records() instanceof MemoryRecords records
                ? records.buffer().duplicate()
                : ByteBuffer.allocate(0);
    }
}
