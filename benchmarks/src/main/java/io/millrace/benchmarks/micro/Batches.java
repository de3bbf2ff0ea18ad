package io.millrace.benchmarks.micro;

import io.millrace.broker.log.BatchBuilder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Batches as an idempotent producer sends them: 100 B values, sequences one behind the other. */
final class Batches {
    private static final byte[] VALUE = new byte[100];
    private static final byte[] NO_KEY = null;
    static final long NOW_MS = 1_700_000_000_000L;

    private Batches() {}

    static List<ByteBuffer> consecutive(int count, int records, long producerId) {
        List<ByteBuffer> batches = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            batches.add(batch(records, producerId, i * records));
        }
        return batches;
    }

    static ByteBuffer batch(int records, long producerId, int sequence) {
        BatchBuilder builder = new BatchBuilder().producer(producerId, (short) 0, sequence);
        for (int i = 0; i < records; i++) {
            builder.add(NOW_MS, NO_KEY, VALUE);
        }
        return builder.build();
    }
}
