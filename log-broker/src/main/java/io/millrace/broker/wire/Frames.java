package io.millrace.broker.wire;

import io.millrace.kernel.Connection;
import java.util.List;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageSizeAccumulator;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/** Header and body as a frame, its length first. */
final class Frames {
    private static final int LENGTH_BYTES = 4;

    private Frames() {}

    static List<Connection.Part> encode(Message header, short headerVersion, ApiMessage body, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        MessageSizeAccumulator size = new MessageSizeAccumulator();
        header.addSize(size, cache, headerVersion);
        body.addSize(size, cache, version);
        PartsWritable out = new PartsWritable(LENGTH_BYTES + size.sizeExcludingZeroCopy());
        try {
            out.writeInt(size.totalSize());
            header.write(out, cache, headerVersion);
            body.write(out, cache, version);
        } catch (RuntimeException e) {
            out.abandon();
            throw e;
        }
        return out.finish();
    }
}
