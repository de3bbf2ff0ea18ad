package io.millrace.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads as consumers of committed data do: each fetch comes with its list of aborted transactions. */
final class CommittedReader {
    /** Null for none. */
    record KeyAndValue(String key, String value) {}

    private CommittedReader() {}

    static List<KeyAndValue> read(ReadView view, int maxBytes) {
        List<KeyAndValue> records = new ArrayList<>();
        long next = view.startOffset();
        Slice slice = view.read(next, maxBytes, view.lastStableOffset(), true);
        while (!slice.isEmpty()) {
            List<Aborted> aborted = new ArrayList<>(view.aborted(next, view.lastStableOffset()));
            next = readFetched(new RecordBatches(LogFixture.bytesOf(slice)), aborted, records);
            slice = view.read(next, maxBytes, view.lastStableOffset(), true);
        }
        assertThat(next).as("the position reaches the stable offset").isEqualTo(view.lastStableOffset());
        return records;
    }

    private static long readFetched(RecordBatches batches, List<Aborted> aborted, List<KeyAndValue> into) {
        aborted.sort(Comparator.comparingLong(Aborted::firstOffset));
        Set<Long> hidden = new HashSet<>();
        long next = -1;
        for (RecordBatch batch : batches) {
            assertThat(batch.checksumOk()).isTrue();
            next = batch.lastOffset() + 1;
            while (!aborted.isEmpty() && aborted.get(0).firstOffset() <= batch.lastOffset()) {
                hidden.add(aborted.remove(0).producerId());
            }
            if (batch.control()) {
                hidden.remove(batch.producerId());
            } else if (!batch.transactional() || !hidden.contains(batch.producerId())) {
                collect(batch, into);
            }
        }
        return next;
    }

    private static void collect(RecordBatch batch, List<KeyAndValue> into) {
        RecordReader records = new RecordReader(batch);
        while (records.next()) {
            into.add(new KeyAndValue(text(records.key()), text(records.value())));
        }
    }

    private static String text(ByteBuffer bytes) {
        return bytes == null ? null : StandardCharsets.UTF_8.decode(bytes).toString();
    }
}
