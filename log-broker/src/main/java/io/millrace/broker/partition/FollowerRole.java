package io.millrace.broker.partition;

import io.millrace.broker.log.Appended;
import io.millrace.broker.log.OffsetAndEpoch;
import io.millrace.broker.log.PartitionLog;
import io.millrace.kernel.Clock;
import io.millrace.kernel.DiskException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a partition does while another broker leads it: makes its log what the leader's is. */
public final class FollowerRole {
    private static final Logger LOG = LoggerFactory.getLogger(FollowerRole.class);

    private final TopicPartition name;
    private final PartitionLog log;
    private final Watermarks watermarks;
    private final Clock clock;
    private final Runnable publish;
    private long doubtfulFrom = Long.MAX_VALUE;

    /** @param publish to be called when readers see something else from now on */
    FollowerRole(TopicPartition name, PartitionLog log, Watermarks watermarks, Clock clock, Runnable publish) {
        this.name = name;
        this.log = log;
        this.watermarks = watermarks;
        this.clock = clock;
        this.publish = publish;
    }

    /**
     * Takes in what the leader sent for a fetch at the end of this log.
     *
     * @throws DiskException when it cannot be written
     */
    public Appended append(ByteBuffer batches, long leaderHighWatermark, long leaderStart) {
        Appended appended = batches.hasRemaining() ? log.appendAsFollower(batches, clock.wallMs()) : null;
        watermarks.high(Math.max(watermarks.high(), Math.min(leaderHighWatermark, log.endOffset())));
        if (leaderStart > log.startOffset()) {
            log.moveStartOffset(Math.min(leaderStart, watermarks.high()));
        }
        return appended;
    }

    /** Cuts off what the leader does not have: its log parted from this one where an epoch ended. */
    public void truncate(OffsetAndEpoch leaderEnd) {
        OffsetAndEpoch ownEnd = log.epochEndOffset(leaderEnd.epoch());
        long to = ownEnd.offset() < 0 ? leaderEnd.offset() : Math.min(leaderEnd.offset(), ownEnd.offset());
        truncateTo(to);
    }

    /** Cuts off everything from an offset on. */
    public void truncateTo(long offset) {
        if (offset < log.endOffset()) {
            LOG.info(
                    "{} drops the offsets from {} to {}, which its leader does not have",
                    name,
                    offset,
                    log.endOffset());
            log.truncateTo(offset, clock.wallMs());
            cut();
        } else {
            log.truncateTo(offset, clock.wallMs()); // an epoch without a record may have to go
            publish.run();
        }
    }

    /** Begins anew at an offset: the leader has nothing older any more. */
    public void restartAt(long offset) {
        log.truncateFullyAndStartAt(offset, clock.wallMs());
        watermarks.high(offset);
        cut();
    }

    private void cut() {
        watermarks.cut();
        publish.run();
    }

    /**
     * The power was cut before what lies behind an offset was forced. The checksum of a batch does not cover its leader
     * epoch, so what is there may differ from what others have, and nobody would ever see it.
     */
    void doubtFrom(long offset) {
        doubtfulFrom = offset;
    }

    /** This replica leads: what is here is what the others copy. */
    void trust() {
        doubtfulFrom = Long.MAX_VALUE;
    }

    /**
     * Cuts off what a power cut may have changed, where there is a leader that has all of it: a broker that lost power is
     * not in sync unless it is the last one, and then it leads. It must be gone before this replica asks the leader for
     * more, for that says what is stored here.
     */
    void dropDoubtful() {
        long from = doubtfulFrom;
        doubtfulFrom = Long.MAX_VALUE;
        if (from < log.endOffset()) {
            LOG.info("{} copies the offsets from {} to {} again: the power was cut", name, from, log.endOffset());
            log.truncateTo(from, clock.wallMs());
            cut();
        }
    }
}
