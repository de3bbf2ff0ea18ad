package io.millrace.broker.log;

import io.millrace.kernel.EventCodec;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;

/** The events of a machine as records of a log. */
public final class EventRecords {
    private static final int CHUNK_BYTES = 1 << 20;

    private EventRecords() {}

    /** One batch, so that all of them are in the log or none. */
    public static ByteBuffer batch(List<EventCodec.Entry> entries, long nowMs) {
        BatchBuilder batch = new BatchBuilder();
        entries.forEach(entry -> batch.add(nowMs, entry.key(), entry.value()));
        return batch.build();
    }

    /** Hands over every record from the start of a view to its end. @return the newest timestamp among them, or -1 */
    public static long replay(ReadView view, Consumer<EventCodec.Entry> record) {
        long newestMs = -1;
        long offset = view.startOffset();
        while (offset < view.endOffset()) {
            Slice slice = view.read(offset, CHUNK_BYTES, view.endOffset(), true);
            if (slice.isEmpty()) {
                return newestMs; // what follows was compacted away
            }
            ByteBuffer bytes = ByteBuffer.allocate(slice.sizeBytes());
            try {
                slice.file().read(slice.position(), bytes);
            } finally {
                slice.release();
            }
            for (RecordBatch batch : new RecordBatches(bytes.flip())) {
                if (batch.lastOffset() >= offset && !batch.control()) {
                    RecordReader records = new RecordReader(batch);
                    while (records.next()) {
                        record.accept(new EventCodec.Entry(bytes(records.key()), bytes(records.value())));
                    }
                }
                newestMs = Math.max(newestMs, batch.maxTimestamp());
                offset = Math.max(offset, batch.lastOffset() + 1);
            }
        }
        return newestMs;
    }

    private static byte[] bytes(ByteBuffer view) {
        if (view == null) {
            return null;
        }
        byte[] copy = new byte[view.remaining()];
        view.duplicate().get(copy);
        return copy;
    }
}
