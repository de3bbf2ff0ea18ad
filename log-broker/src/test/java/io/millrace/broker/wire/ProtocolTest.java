package io.millrace.broker.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.kernel.Connection;
import io.millrace.kernel.Connection.FileRange;
import io.millrace.kernel.DiskFile;
import io.millrace.kernel.sim.SimDisk;
import io.netty.buffer.ByteBuf;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

class ProtocolTest {
    private static final int PARTITIONS = 50;
    private static final int BYTES_EACH = 1 << 20;

    @Test
    void records_that_stay_in_their_file_take_no_memory_in_a_response() {
        SimDisk disk = new SimDisk();
        disk.createFolders(Path.of("/folder"));
        DiskFile file = disk.open(Path.of("/folder/records"));
        FetchableTopicResponse topic = new FetchableTopicResponse().setTopic("t");
        IntStream.range(0, PARTITIONS).forEach(number -> topic.partitions().add(stored(number, file)));
        FetchResponseData response = new FetchResponseData();
        response.responses().add(topic);

        List<Connection.Part> parts =
                new Protocol(Set.of(ApiKeys.FETCH.id)).encode(ApiKeys.FETCH.id, (short) 12, 1, response);

        assertThat(parts.stream().filter(FileRange.class::isInstance)).hasSize(PARTITIONS);
        assertThat(frameBytes(parts)).isGreaterThan(PARTITIONS * BYTES_EACH);
        assertThat(bufferBytes(parts)).isLessThan(PARTITIONS * 100);
    }

    private static PartitionData stored(int number, DiskFile file) {
        PartitionData data = new PartitionData().setPartitionIndex(number);
        FetchedRecords.put(data, List.of(new FileRange(file, 0, BYTES_EACH)));
        return data;
    }

    /** As the frame says at its beginning. */
    private static int frameBytes(List<Connection.Part> parts) {
        return ((Connection.Memory) parts.get(0)).bytes().getInt(0);
    }

    /** The memory of all parts, which are slices of one buffer. */
    private static int bufferBytes(List<Connection.Part> parts) {
        ByteBuf slice = ((Connection.Memory) parts.get(0)).bytes();
        return slice.unwrap() == null ? slice.capacity() : slice.unwrap().capacity();
    }
}
