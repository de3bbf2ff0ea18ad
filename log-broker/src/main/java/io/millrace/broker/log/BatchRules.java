package io.millrace.broker.log;

import io.millrace.broker.log.Appended.Refused;
import java.nio.ByteBuffer;

/** What a batch must be like before it may enter the log. Looks at headers and checksums only. */
final class BatchRules {
    private static final int HIGHEST_COMPRESSION = 4;

    private final LogSettings settings;

    BatchRules(LogSettings settings) {
        this.settings = settings;
    }

    /** Why the bytes must not be appended by a leader; null where they may. */
    Refused refuse(ByteBuffer batches, Origin origin, long nowMs) {
        Refused refused = refuseStructure(batches);
        if (refused == null) {
            refused = refuseTotal(batches);
        }
        if (refused != null) {
            return refused;
        }
        int count = 0;
        for (RecordBatch batch : new RecordBatches(batches)) {
            refused = origin == Origin.CLIENT ? refuseFromClient(batch, nowMs) : null;
            if (refused != null) {
                return refused;
            }
            count++;
        }
        return origin == Origin.CLIENT && count != 1
                ? new Refused(Refusal.INVALID_RECORD, "expected one batch a partition, found " + count)
                : null;
    }

    /** Why the bytes are not whole, sound batches of our format; null where they are. */
    Refused refuseStructure(ByteBuffer batches) {
        if (batches.remaining() > RecordBatch.MAGIC_AT) {
            byte magic = batches.get(batches.position() + RecordBatch.MAGIC_AT);
            if (magic != RecordBatch.MAGIC) {
                return new Refused(Refusal.UNSUPPORTED_FORMAT, "record format " + magic + ", only 2 is supported");
            }
        }
        RecordBatches whole = new RecordBatches(batches);
        int trailing = whole.trailingBytes();
        if (trailing > 0 || !batches.hasRemaining()) {
            return new Refused(
                    Refusal.CORRUPT_MESSAGE,
                    trailing + " of " + batches.remaining() + " bytes are not a whole record batch");
        }
        for (RecordBatch batch : whole) {
            if (batch.magic() != RecordBatch.MAGIC || batch.lastOffsetDelta() < 0) {
                return new Refused(Refusal.CORRUPT_MESSAGE, "the header makes no sense");
            }
            if (!batch.checksumOk()) {
                return new Refused(Refusal.CORRUPT_MESSAGE, "the checksum is wrong");
            }
        }
        return null;
    }

    private Refused refuseTotal(ByteBuffer batches) {
        int limit = settings.segments().maxBytes();
        return batches.remaining() <= limit
                ? null
                : new Refused(
                        Refusal.RECORD_LIST_TOO_LARGE,
                        batches.remaining() + " bytes do not fit a segment of " + limit + " bytes");
    }

    private Refused refuseFromClient(RecordBatch batch, long nowMs) {
        if (batch.sizeBytes() > settings.maxMessageBytes()) {
            return new Refused(
                    Refusal.MESSAGE_TOO_LARGE,
                    "a batch of " + batch.sizeBytes() + " bytes, allowed are " + settings.maxMessageBytes());
        }
        String fault = faultOfHeader(batch);
        if (fault == null && settings.compaction().enabled() && batch.compression() == 0) {
            fault = faultOfKeys(batch);
        }
        if (fault != null) {
            return new Refused(Refusal.INVALID_RECORD, fault);
        }
        return settings.timestamps().type() == LogSettings.TimestampType.CREATE_TIME
                ? refuseTimestamps(batch, nowMs)
                : null;
    }

    private static String faultOfHeader(RecordBatch batch) {
        if (batch.control()) {
            return "control batches are not for clients";
        }
        if (batch.recordCount() <= 0 || batch.recordCount() != batch.lastOffsetDelta() + 1) {
            return batch.recordCount() + " records with a last offset delta of " + batch.lastOffsetDelta();
        }
        if ((batch.attributes() & ~(RecordBatch.KNOWN_ATTRIBUTES & ~RecordBatch.DELETE_HORIZON)) != 0
                || batch.compression() > HIGHEST_COMPRESSION) {
            return "unknown attributes 0x" + Integer.toHexString(batch.attributes() & 0xffff);
        }
        if (batch.hasProducerId() && (batch.producerEpoch() < 0 || batch.baseSequence() < 0)) {
            return "producer " + batch.producerId() + " without epoch or sequence";
        }
        return batch.transactional() && !batch.hasProducerId() ? "a transaction without a producer id" : null;
    }

    /** Of a compressed batch the records are not looked at; compaction leaves those without a key alone. */
    private static String faultOfKeys(RecordBatch batch) {
        try {
            RecordReader records = new RecordReader(batch);
            while (records.next()) {
                if (records.key() == null) {
                    return "a record without a key in a log that keeps the last record of each key";
                }
            }
            return null;
        } catch (CorruptBatchException e) {
            return e.getMessage();
        }
    }

    private Refused refuseTimestamps(RecordBatch batch, long nowMs) {
        if (batch.appendTime()) {
            return new Refused(Refusal.INVALID_TIMESTAMP, "only the broker may give records its time of append");
        }
        return refuseTimestamp(batch.baseTimestamp(), nowMs)
                ? tooFar(batch.baseTimestamp(), nowMs)
                : refuseTimestamp(batch.maxTimestamp(), nowMs) ? tooFar(batch.maxTimestamp(), nowMs) : null;
    }

    /** A timestamp of -1 stands for none. */
    private boolean refuseTimestamp(long timestamp, long nowMs) {
        LogSettings.Timestamps allowed = settings.timestamps();
        return timestamp >= 0
                && (timestamp - nowMs > allowed.afterMaxMs() || nowMs - timestamp > allowed.beforeMaxMs());
    }

    private Refused tooFar(long timestamp, long nowMs) {
        LogSettings.Timestamps allowed = settings.timestamps();
        return new Refused(
                Refusal.INVALID_TIMESTAMP,
                "timestamp " + timestamp + " is " + (timestamp - nowMs) + " ms from the broker's time; allowed are "
                        + allowed.beforeMaxMs() + " ms before and " + allowed.afterMaxMs() + " ms after it");
    }
}
