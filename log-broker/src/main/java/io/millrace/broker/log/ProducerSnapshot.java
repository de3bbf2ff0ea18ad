package io.millrace.broker.log;

import io.millrace.broker.log.ProducerEntry.Batch;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The file form of {@link Producers}: version (int16), checksum of what follows (uint32), entries (int32 count).
 *
 * <p>Apache Kafka writes one entry a producer and remembers one batch after a restart. We write up to five entries with
 * the same producer id, the oldest batch first: a reader that knows one takes the last entry, which is the same as its
 * own; ours takes them all.
 */
final class ProducerSnapshot {
    private static final short VERSION = 1;
    private static final int HEADER_BYTES = 6;
    private static final int ENTRY_BYTES = 46;
    private static final Batch NO_BATCH = new Batch(-1, -1, 0, -1);

    private ProducerSnapshot() {}

    static byte[] encode(List<ProducerEntry> entries) {
        int rows = entries.stream()
                .mapToInt(entry -> Math.max(1, entry.batches().size()))
                .sum();
        ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES + Integer.BYTES + rows * ENTRY_BYTES);
        bytes.position(HEADER_BYTES);
        bytes.putInt(rows);
        for (ProducerEntry entry : entries) {
            if (entry.batches().isEmpty()) {
                encode(entry, NO_BATCH, entry.lastTimestamp, bytes);
            }
            for (Batch batch : entry.batches()) {
                encode(entry, batch, batch.timestamp(), bytes);
            }
        }
        return bytes.putShort(0, VERSION).putInt(2, checksum(bytes)).array();
    }

    private static void encode(ProducerEntry entry, Batch batch, long timestamp, ByteBuffer into) {
        into.putLong(entry.producerId)
                .putShort(entry.epoch)
                .putInt(batch.lastSequence())
                .putLong(batch.lastOffset())
                .putInt(batch.offsetDelta())
                .putLong(timestamp)
                .putInt(entry.coordinatorEpoch)
                .putLong(entry.transactionFirstOffset);
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().clear().position(HEADER_BYTES));
        return (int) crc.getValue();
    }

    /** Empty where the bytes are not a sound snapshot. */
    static Optional<List<ProducerEntry>> decode(byte[] content) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        if (content.length < HEADER_BYTES + Integer.BYTES
                || bytes.getShort() != VERSION
                || bytes.getInt() != checksum(bytes)) {
            return Optional.empty();
        }
        Map<Long, ProducerEntry> entries = new LinkedHashMap<>();
        try {
            for (int rows = bytes.getInt(); rows > 0; rows--) {
                decodeRow(bytes, entries);
            }
        } catch (BufferUnderflowException e) {
            return Optional.empty();
        }
        return Optional.of(new ArrayList<>(entries.values()));
    }

    private static void decodeRow(ByteBuffer bytes, Map<Long, ProducerEntry> entries) {
        long producerId = bytes.getLong();
        short epoch = bytes.getShort();
        ProducerEntry entry = entries.computeIfAbsent(producerId, id -> new ProducerEntry(id, epoch));
        Batch batch = new Batch(bytes.getInt(), bytes.getLong(), bytes.getInt(), bytes.getLong());
        entry.coordinatorEpoch = bytes.getInt();
        entry.transactionFirstOffset = bytes.getLong();
        if (batch.lastSequence() >= 0) {
            entry.remember(batch);
        } else {
            entry.lastTimestamp = batch.timestamp();
        }
    }
}
