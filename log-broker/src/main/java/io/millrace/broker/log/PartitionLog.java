package io.millrace.broker.log;

import io.millrace.broker.log.Appended.Accepted;
import io.millrace.broker.log.Appended.Duplicate;
import io.millrace.broker.log.Appended.Refused;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * One partition's log. Everything is called by its owner; {@link #view} makes what others may read. A
 * {@code DiskException} of an append leaves the log as it was before.
 */
public final class PartitionLog {
    private final LogFolder folder;
    private final LogContents contents;
    private final Segments segments;
    private final Producers producers;
    private final Durability durability;
    private final LogEnd end;
    private final Deletions deletions;
    private final Compactor compactor;
    private final Housekeeping housekeeping;
    private LogSettings settings;
    private SegmentRepair repair;
    private BatchRules rules;
    private long startOffset;

    private PartitionLog(LogFolder folder, LogSettings settings, Recovery recovery, LogCheckpoint checkpoint) {
        this.folder = folder;
        contents = recovery.contents();
        segments = contents.segments();
        producers = contents.producers();
        durability = new Durability(folder, recovery);
        end = new LogEnd(folder, contents, recovery.snapshots(), durability);
        deletions = new Deletions(folder);
        compactor = new Compactor(folder, contents, deletions, durability, checkpoint.cleanedOffset());
        housekeeping = new Housekeeping(contents, end, durability, deletions, compactor);
        startOffset = Math.max(checkpoint.startOffset(), segments.first().baseOffset());
        updateSettings(settings);
    }

    /**
     * Opens the log in a folder, or begins one there. No file stays open: what nobody uses costs no descriptor.
     *
     * @param checkpoint what was written down last of this log; {@link LogCheckpoint#NONE} for a new one
     * @param lastStop of its last owner
     */
    public static PartitionLog open(
            LogFolder folder, LogSettings settings, LogCheckpoint checkpoint, LastStop lastStop, long nowMs) {
        Recovery recovery = new Recovery(folder, settings, checkpoint.startOffset(), nowMs);
        if (!folder.isMade()) {
            recovery.ofNothing();
        } else if (lastStop == LastStop.CLEAN) {
            recovery.afterCleanStop();
        } else {
            recovery.afterCrash(checkpoint.recoveryPoint(), lastStop == LastStop.POWER_CUT);
        }
        PartitionLog log = new PartitionLog(folder, settings, recovery, checkpoint);
        if (log.endOffset() < log.startOffset) {
            log.truncateFullyAndStartAt(log.startOffset, nowMs);
        }
        if (log.endOffset() == 0) {
            log.producers.nobodyYet();
        }
        if (folder.isMade()) {
            log.segments.all().forEach(Segment::rest);
        }
        return log;
    }

    /** Checks batches, gives them offsets and timestamps in place, and appends them. */
    public Appended appendAsLeader(ByteBuffer batches, int leaderEpoch, Origin origin, long nowMs) {
        Appended answer = rules.refuse(batches, origin, nowMs);
        if (answer == null) {
            answer = checkProducers(batches, origin);
        }
        if (answer instanceof Duplicate duplicate) {
            long timestamp = stampsAppendTime() ? duplicate.logAppendTimeMs() : -1;
            return new Duplicate(duplicate.firstOffset(), duplicate.lastOffset(), timestamp);
        }
        return answer != null ? answer : assignAndWrite(batches, leaderEpoch, stampsAppendTime(), nowMs);
    }

    private Appended checkProducers(ByteBuffer batches, Origin origin) {
        for (RecordBatch batch : new RecordBatches(batches)) {
            Optional<TransactionMarker> marker = batch.control() ? TransactionMarker.of(batch) : Optional.empty();
            Appended answer = marker.isPresent() ? producers.refuse(marker.get()) : producers.check(batch, origin);
            if (answer != null) {
                return answer;
            }
        }
        return null;
    }

    /**
     * Ends a transaction. Repeating it is answered as a {@link Duplicate}, whose offset is such that everything of the
     * first time is below it.
     */
    public Appended endTransaction(TransactionMarker marker, int leaderEpoch, long nowMs) {
        Refused refused = producers.refuse(marker);
        if (refused != null) {
            return refused;
        }
        if (producers.isRepeated(marker)) {
            return new Duplicate(endOffset() - 1, endOffset() - 1, -1);
        }
        ByteBuffer batch = BatchBuilder.endTransactionMarker(
                marker.producerId(), marker.epoch(), marker.commit(), marker.coordinatorEpoch(), nowMs);
        return assignAndWrite(batch, leaderEpoch, false, nowMs);
    }

    private boolean stampsAppendTime() {
        return settings.timestamps().type() == LogSettings.TimestampType.LOG_APPEND_TIME;
    }

    private Accepted assignAndWrite(ByteBuffer batches, int leaderEpoch, boolean stamp, long nowMs) {
        long first = endOffset();
        long next = first;
        for (RecordBatch batch : new RecordBatches(batches)) {
            batch.assign(next, leaderEpoch);
            if (stamp) {
                batch.stampAppendTime(nowMs);
            }
            next = batch.lastOffset() + 1;
        }
        end.write(batches, next - 1, settings.segments(), nowMs);
        return new Accepted(first, next - 1, stamp ? nowMs : -1);
    }

    /**
     * Appends what a leader has sent, offsets and epochs as they are. Holes are accepted, for compaction leaves them; what
     * lies below the end is not. When this throws, some of the batches may be there: {@link #endOffset} tells.
     */
    public Appended appendAsFollower(ByteBuffer batches, long nowMs) {
        Refused refused = rules.refuseStructure(batches);
        if (refused != null) {
            return refused;
        }
        long first = -1;
        long next = endOffset();
        for (RecordBatch batch : new RecordBatches(batches)) {
            if (batch.baseOffset() < next) {
                return new Refused(
                        Refusal.UNEXPECTED_OFFSET,
                        "a batch at offset " + batch.baseOffset() + ", expected is " + next + " or higher");
            }
            first = first < 0 ? batch.baseOffset() : first;
            next = batch.lastOffset() + 1;
        }
        end.writeAll(batches, next - 1, settings.segments(), nowMs);
        return new Accepted(first, next - 1, -1);
    }

    public long startOffset() {
        return startOffset;
    }

    /** The offset of the next record. */
    public long endOffset() {
        return contents.endOffset();
    }

    public long recoveryPoint() {
        return durability.recoveryPoint();
    }

    public long sizeBytes() {
        return segments.sizeBytes();
    }

    public boolean hasOpenTransaction(long producerId, short epoch) {
        return producers.hasOpenTransaction(producerId, epoch);
    }

    public Optional<ProducerState> producer(long producerId) {
        return producers.state(producerId);
    }

    public Collection<ProducerState> producers() {
        return producers.states();
    }

    public List<OpenTransaction> openTransactions() {
        return producers.openTransactions();
    }

    /**
     * The first offset of a transaction that is open or whose marker is not below the high watermark;
     * {@link Long#MAX_VALUE} where there is none.
     */
    public long firstUnstableOffset(long highWatermark) {
        return Math.max(startOffset, producers.firstUnstable(highWatermark));
    }

    public ReadView view(long highWatermark, long lastStableOffset) {
        return contents.view(startOffset, highWatermark, lastStableOffset);
    }

    public int latestEpoch() {
        return contents.epochs().latest();
    }

    /** Where an epoch, or the last one before it, ended. */
    public OffsetAndEpoch epochEndOffset(int requestedEpoch) {
        return contents.epochs().history().endOf(requestedEpoch, endOffset());
    }

    /** Notes that a leader epoch begins at the end, before anything is written in it. */
    public void startEpoch(int epoch) {
        contents.epochs().assign(epoch, endOffset());
    }

    /** Cuts off everything from the batch on that contains an offset. The recovery point may move back with it. */
    public void truncateTo(long offset, long nowMs) {
        if (offset < segments.first().baseOffset()) {
            truncateFullyAndStartAt(offset, nowMs);
        } else if (offset < endOffset()) {
            giveUpRewriting();
            end.truncateTo(offset, nowMs);
            compactor.truncated(endOffset());
            startOffset = Math.min(startOffset, endOffset());
        } else {
            contents.epochs().truncateEnd(offset); // one that began at the end and has no record yet
        }
    }

    /** Throws everything away, producers included. */
    public void truncateFullyAndStartAt(long offset, long nowMs) {
        giveUpRewriting();
        end.restartAt(offset, nowMs);
        compactor.truncated(offset);
        startOffset = offset;
    }

    /**
     * Hides everything below an offset; {@link #applyRetention} frees the space.
     *
     * @return whether the start has moved
     */
    public boolean moveStartOffset(long offset) {
        if (offset <= startOffset || offset > endOffset()) {
            return false;
        }
        startOffset = offset;
        contents.epochs().truncateStart(offset);
        return true;
    }

    /** Begins a new segment when the active one is old enough. */
    public boolean rollIfDue(long nowMs) {
        return housekeeping.rollIfDue(settings, nowMs);
    }

    /** Removes segments that are below the start offset, too old or too many; returns how many. */
    public int applyRetention(long nowMs, long highWatermark) {
        int before = segments.count();
        boolean movedStart = moveStartOffset(housekeeping.applyRetention(settings, startOffset, highWatermark, nowMs));
        return movedStart || segments.count() < before ? before - segments.count() : 0;
    }

    /** Deletes the files of segments that have left long enough ago; returns how many segments. */
    public int deleteFilesDue(long nowMs) {
        return deletions.run(nowMs);
    }

    /**
     * Does a piece of compaction where the policy is to compact and there is something worth it; nothing at or behind the
     * first unstable offset, and nothing above the recovery point, is touched. A failure is logged, kept in
     * {@link #compaction}, and tried again later; only one in the middle of putting the new files in place is thrown: the
     * log must then be opened anew.
     *
     * @param budgetBytes about how much to read before returning
     * @return whether there is more to do right now
     */
    public boolean compact(long nowMs, long highWatermark, int budgetBytes) {
        if (repair != null && !repair.isOver()) {
            return false;
        }
        long stable = Math.min(highWatermark, producers.firstUnstable(highWatermark));
        return compactor.step(settings, stable, nowMs, budgetBytes);
    }

    /**
     * Begins to write the segment anew that holds an offset, the active one after it was closed. Nothing is compacted
     * until that is over.
     *
     * @return null while the segment is not below the recovery point: to be tried again after the next checkpoint
     */
    public SegmentRepair beginRepair(long offset) {
        Segment damaged = segments.containing(offset);
        if (damaged == segments.active()) {
            if (damaged.isEmpty()) {
                return null;
            }
            end.roll();
        }
        long endOffset = segments.endOf(damaged, endOffset());
        if (endOffset > recoveryPoint()) {
            return null;
        }
        giveUpRewriting();
        repair = new SegmentRepair(
                folder,
                contents,
                deletions,
                damaged,
                endOffset,
                settings.segments().indexIntervalBytes());
        return repair;
    }

    /** Puts a finished repair in place. @return whether what it was to repair was still there */
    public boolean completeRepair(SegmentRepair done, long nowMs) {
        if (done.isOver() || !segments.isSegmentBase(done.startOffset())) {
            done.abandon();
            return false;
        }
        done.finish(nowMs + settings.retention().fileDeleteDelayMs());
        return true;
    }

    /** Before segments leave the log otherwise. */
    private void giveUpRewriting() {
        compactor.abandon();
        if (repair != null) {
            repair.abandon();
            repair = null;
        }
    }

    /** All damages of a log that nobody uses. */
    public List<Damage> damages() {
        return segments.all().stream()
                .flatMap(segment -> segment.view(true).damages(segments.endOf(segment, endOffset())).stream())
                .toList();
    }

    /** Writes the segment that holds an offset anew without what is damaged in it. */
    public void leaveOutDamages(long offset, long nowMs) {
        checkpoint();
        SegmentRepair without = beginRepair(offset);
        if (without == null) { // it was the active one, which has been closed
            checkpoint();
            without = beginRepair(offset);
        }
        without.leaveOutDamages();
        completeRepair(without, nowMs);
    }

    public CompactionState compaction() {
        return compactor.state();
    }

    /** Forgets producers that have been silent for too long, or are too many; returns how many. */
    public int expireProducers(long nowMs) {
        return producers.expire(nowMs - settings.producerIdExpirationMs(), settings.maxProducerIds());
    }

    /** Returns when all records up to the end survive a power cut. */
    public void force() {
        Forcing forcing = beginForce();
        forcing.run();
        completeForce(forcing);
    }

    /** Begins to make the records up to the end survive a power cut; see {@link Forcing}. One at a time. */
    public Forcing beginForce() {
        return durability.beginForce();
    }

    /** @return whether everything below its offset survives a power cut now: not so where the log was cut meanwhile */
    public boolean completeForce(Forcing done) {
        return durability.complete(done);
    }

    /** Whether a checkpoint has something to do. */
    public boolean needsCheckpoint() {
        return !durability.isIdle();
    }

    /** Begins to move the recovery point to the end; see {@link Checkpointing}. One at a time. */
    public Checkpointing beginCheckpoint() {
        return durability.begin();
    }

    /** Moves the recovery point. */
    public void completeCheckpoint(Checkpointing done) {
        durability.complete(done);
    }

    /** Moves the recovery point to the end. */
    public void checkpoint() {
        Checkpointing checkpointing = beginCheckpoint();
        checkpointing.run();
        completeCheckpoint(checkpointing);
    }

    /** What to write down for the next start. */
    public LogCheckpoint lastCheckpoint() {
        return new LogCheckpoint(recoveryPoint(), startOffset, compactor.cleanedOffset());
    }

    /** Closes files until somebody needs them; those that are being written stay open. */
    public void rest() {
        segments.restForced();
    }

    /**
     * Ends the use of all files.
     *
     * @param clean whether to leave them such that the next start need not check them
     */
    public void close(boolean clean) {
        if (clean) {
            checkpoint();
        }
        giveUpRewriting();
        segments.all().forEach(Segment::close);
        deletions.close();
    }

    public void updateSettings(LogSettings changed) {
        settings = changed;
        rules = new BatchRules(changed);
    }
}
