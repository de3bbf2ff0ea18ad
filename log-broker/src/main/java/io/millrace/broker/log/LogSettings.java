package io.millrace.broker.log;

import java.util.concurrent.TimeUnit;

/**
 * What an owner may choose about one partition's log. The defaults are Apache Kafka's.
 *
 * @param maxMessageBytes largest batch a client may append
 * @param producerIdExpirationMs a producer that has been silent for so long is forgotten
 * @param maxProducerIds beyond this many, the ones silent for longest are forgotten, so that short-lived producers
 *     cannot fill the memory
 */
public record LogSettings(
        Segments segments,
        Retention retention,
        Compaction compaction,
        Timestamps timestamps,
        int maxMessageBytes,
        long producerIdExpirationMs,
        int maxProducerIds) {

    public static final LogSettings DEFAULTS = new LogSettings(
            new Segments(1 << 30, TimeUnit.DAYS.toMillis(7), 4096, 10 << 20),
            new Retention(true, -1, TimeUnit.DAYS.toMillis(7), TimeUnit.MINUTES.toMillis(1)),
            new Compaction(false, 0.5, TimeUnit.DAYS.toMillis(1), 0, Long.MAX_VALUE),
            new Timestamps(TimestampType.CREATE_TIME, Long.MAX_VALUE, TimeUnit.HOURS.toMillis(1)),
            1_048_588,
            TimeUnit.DAYS.toMillis(1),
            100_000);

    public LogSettings {
        require(maxMessageBytes >= 0, "the largest message must not be negative, found ", maxMessageBytes);
        require(producerIdExpirationMs > 0, "producer ids must live for at least 1 ms, found ", producerIdExpirationMs);
        require(maxProducerIds > 0, "at least one producer id must be remembered, found ", maxProducerIds);
    }

    private static void require(boolean holds, String message, Object found) {
        if (!holds) {
            throw new IllegalArgumentException(message + found);
        }
    }

    /**
     * When a segment is full.
     *
     * @param maxIndexBytes bounds its offset index and its time index
     */
    public record Segments(int maxBytes, long maxAgeMs, int indexIntervalBytes, int maxIndexBytes) {
        public Segments {
            require(maxBytes >= RecordBatch.OVERHEAD, "a segment must have room for a batch, found ", maxBytes);
            require(maxAgeMs > 0, "a segment must be allowed to live for at least 1 ms, found ", maxAgeMs);
            require(indexIntervalBytes >= 0, "the index interval must not be negative, found ", indexIntervalBytes);
            require(maxIndexBytes >= 24, "an index must have room for two entries, found ", maxIndexBytes);
        }
    }

    /**
     * When old segments go.
     *
     * @param enabled whether bytes and age count; what lies below the start offset goes in any case
     * @param maxBytes -1 for no limit
     * @param maxAgeMs -1 for no limit
     * @param fileDeleteDelayMs how long readers of a segment that has gone may still use its files
     */
    public record Retention(boolean enabled, long maxBytes, long maxAgeMs, long fileDeleteDelayMs) {
        public Retention {
            require(maxBytes >= -1, "retention bytes start at -1 (no limit), found ", maxBytes);
            require(maxAgeMs >= -1, "retention time starts at -1 (no limit), found ", maxAgeMs);
            require(
                    fileDeleteDelayMs >= 0,
                    "the delay before deletion must not be negative, found ",
                    fileDeleteDelayMs);
        }
    }

    /**
     * Whether and when only the last record of each key is kept.
     *
     * @param minDirtyRatio share of the bytes that must be uncleaned before it is worth the work
     * @param deleteRetentionMs how long tombstones and markers stay for readers who are on their way
     * @param minLagMs records younger than this are left alone
     * @param maxLagMs records older than this make the log due whatever the ratio
     */
    public record Compaction(
            boolean enabled, double minDirtyRatio, long deleteRetentionMs, long minLagMs, long maxLagMs) {
        public Compaction {
            require(minDirtyRatio >= 0 && minDirtyRatio <= 1, "the dirty ratio lies in 0..1, found ", minDirtyRatio);
            require(deleteRetentionMs >= 0, "tombstone retention must not be negative, found ", deleteRetentionMs);
            require(minLagMs >= 0, "the compaction lag must not be negative, found ", minLagMs);
            require(maxLagMs > 0, "the largest compaction lag must be at least 1 ms, found ", maxLagMs);
        }
    }

    /** Whose clock counts. */
    public enum TimestampType {
        CREATE_TIME,
        LOG_APPEND_TIME
    }

    /** Which timestamps are accepted from clients: those from {@code beforeMaxMs} ago to {@code afterMaxMs} ahead. */
    public record Timestamps(TimestampType type, long beforeMaxMs, long afterMaxMs) {
        public Timestamps {
            require(beforeMaxMs >= 0, "the allowed age must not be negative, found ", beforeMaxMs);
            require(afterMaxMs >= 0, "the allowed lead must not be negative, found ", afterMaxMs);
        }
    }

    public LogSettings withSegments(Segments changed) {
        return new LogSettings(
                changed, retention, compaction, timestamps, maxMessageBytes, producerIdExpirationMs, maxProducerIds);
    }

    public LogSettings withRetention(Retention changed) {
        return new LogSettings(
                segments, changed, compaction, timestamps, maxMessageBytes, producerIdExpirationMs, maxProducerIds);
    }

    public LogSettings withCompaction(Compaction changed) {
        return new LogSettings(
                segments, retention, changed, timestamps, maxMessageBytes, producerIdExpirationMs, maxProducerIds);
    }

    public LogSettings withTimestamps(Timestamps changed) {
        return new LogSettings(
                segments, retention, compaction, changed, maxMessageBytes, producerIdExpirationMs, maxProducerIds);
    }

    public LogSettings withMaxMessageBytes(int bytes) {
        return new LogSettings(
                segments, retention, compaction, timestamps, bytes, producerIdExpirationMs, maxProducerIds);
    }

    public LogSettings withProducers(long expirationMs, int maxIds) {
        return new LogSettings(segments, retention, compaction, timestamps, maxMessageBytes, expirationMs, maxIds);
    }
}
