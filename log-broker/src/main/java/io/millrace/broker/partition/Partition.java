package io.millrace.broker.partition;

import io.millrace.broker.log.Appended;
import io.millrace.broker.log.Forcing;
import io.millrace.broker.log.LogSettings;
import io.millrace.broker.log.Origin;
import io.millrace.broker.log.PartitionLog;
import io.millrace.broker.log.ReadView;
import io.millrace.broker.log.RecordBatch;
import io.millrace.broker.replication.LeaderState;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.Clock;
import io.millrace.kernel.DiskException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A partition that this broker leads.
 *
 * <p>Appends take effect at once in the log; what depends on them (acknowledgements, what readers see) is done in
 * {@link #settle}, once for everything that a batch of messages brought.
 */
public final class Partition {
    private static final Logger LOG = LoggerFactory.getLogger(Partition.class);

    /** How much is read before other messages of the shard get their turn. */
    private static final int COMPACTION_PIECE_BYTES = 4 << 20;

    private final TopicIdPartition id;
    private final PartitionLog log;
    private final LeaderState leader;
    private final Clock clock;
    private final TransactionGate gate;
    private final AppendWaits appendWaits = new AppendWaits();
    private final Readers readers = new Readers();
    private PartitionSettings settings;
    private LongConsumer committed = upTo -> {};
    private volatile ReadView view;
    private DiskException fault;
    private final Forcer forcer;
    private long stored;
    private boolean forcing;
    private long deadlineTakenMs = Long.MAX_VALUE;

    Partition(
            TopicIdPartition id,
            PartitionLog log,
            LeaderState leader,
            PartitionSettings settings,
            TransactionGate gate,
            Forcer forcer,
            Clock clock) {
        this.id = id;
        this.log = log;
        this.leader = leader;
        this.settings = settings;
        this.gate = gate;
        this.forcer = forcer;
        this.clock = clock;
        this.stored = log.endOffset();
        publish();
    }

    public TopicIdPartition id() {
        return id;
    }

    public TopicPartition name() {
        return id.topicPartition();
    }

    public PartitionLog log() {
        return log;
    }

    public int leaderEpoch() {
        return leader.leaderEpoch();
    }

    /** What a reader may see, all of one moment; any thread. */
    public ReadView view() {
        return view;
    }

    /** Hears of the high watermark whenever a batch of messages has been dealt with. */
    public void onCommitted(LongConsumer listener) {
        committed = listener;
        listener.accept(leader.highWatermark());
    }

    void produce(Produce produce) {
        Produce.Reply refusal = refusal(produce);
        if (refusal != null) {
            produce.reply().complete(refusal);
            return;
        }
        RecordBatch batch = first(produce);
        if (batch.transactional() && !log.hasOpenTransaction(batch.producerId(), batch.producerEpoch())) {
            gate.admit(produce, batch);
        } else {
            append(produce);
        }
    }

    /** Why the batches cannot be taken, whatever is in them; null when they can. */
    private Produce.Reply refusal(Produce produce) {
        if (fault != null) {
            return Produce.Reply.refused(ErrorCode.KAFKA_STORAGE_ERROR, fault.getMessage());
        }
        if (produce.allReplicas() && !leader.enoughInSync(settings.minInSync())) {
            return Produce.Reply.refused(ErrorCode.NOT_ENOUGH_REPLICAS, name() + " has too few in-sync replicas");
        }
        if (produce.records().remaining() < RecordBatch.OVERHEAD) {
            return Produce.Reply.refused(ErrorCode.INVALID_RECORD, "a produce needs exactly one batch of records");
        }
        RecordBatch batch = first(produce);
        if (batch.magic() == 2 && batch.transactional() && produce.transaction() == null) {
            return Produce.Reply.refused(
                    ErrorCode.INVALID_RECORD, "a transactional batch in a produce without transactional id");
        }
        return null;
    }

    private static RecordBatch first(Produce produce) {
        return new RecordBatch().at(produce.records(), produce.records().position());
    }

    private void append(Produce produce) {
        try {
            Appended appended = log.appendAsLeader(produce.records(), leaderEpoch(), Origin.CLIENT, clock.wallMs());
            if (appended instanceof Appended.Refused refused) {
                produce.reply().complete(Produce.Reply.refused(Refusals.code(refused.reason()), refused.message()));
            } else if (appended instanceof Appended.Accepted accepted) {
                acknowledge(produce, accepted.firstOffset(), accepted.lastOffset(), accepted.logAppendTimeMs());
            } else if (appended instanceof Appended.Duplicate duplicate) {
                acknowledge(produce, duplicate.firstOffset(), duplicate.lastOffset(), -1);
            }
        } catch (DiskException e) {
            produce.reply().complete(Produce.Reply.refused(ErrorCode.KAFKA_STORAGE_ERROR, failed(e)));
        }
    }

    private void acknowledge(Produce produce, long first, long last, long appendTimeMs) {
        long deadlineMs = clock.monotonicMs() + produce.timeoutMs();
        appendWaits.add(new AppendWaits.Wait(
                last + 1,
                produce.allReplicas(),
                deadlineMs,
                error -> produce.reply()
                        .complete(
                                error == ErrorCode.NONE
                                        ? new Produce.Reply(error, null, first, appendTimeMs, log.startOffset())
                                        : Produce.Reply.refused(error, null))));
    }

    void endTransaction(WriteMarker marker) {
        if (fault != null) {
            marker.reply().complete(ErrorCode.KAFKA_STORAGE_ERROR);
            return;
        }
        gate.ended(marker);
        long nowMs = clock.wallMs();
        try {
            Appended appended = log.endTransaction(marker.record(), leaderEpoch(), nowMs);
            if (appended instanceof Appended.Refused refused) {
                marker.reply().complete(Refusals.code(refused.reason()));
            } else {
                appendWaits.add(new AppendWaits.Wait(
                        log.endOffset(),
                        true,
                        Long.MAX_VALUE,
                        error -> marker.reply().complete(error)));
            }
        } catch (DiskException e) {
            LOG.warn(
                    "{}: the end of a transaction of producer {} waits: {}",
                    name(),
                    marker.record().producerId(),
                    failed(e));
            marker.reply().complete(ErrorCode.KAFKA_STORAGE_ERROR);
        }
    }

    void registered(Registered answer) {
        gate.registered(answer, this::append);
    }

    /**
     * Appends a batch of a coordinator's events.
     *
     * @return the offset behind it
     * @throws DiskException when it cannot be appended; nothing of it is
     */
    public long appendEvents(ByteBuffer batch) {
        if (fault != null) {
            throw fault;
        }
        Appended appended = log.appendAsLeader(batch, leaderEpoch(), Origin.COORDINATOR, clock.wallMs());
        if (appended instanceof Appended.Refused refused) {
            throw new IllegalStateException(name() + " refused its coordinator's events: " + refused.message());
        }
        return log.endOffset();
    }

    void await(FetchWaits.Wait wait, FetchWaits.Reader reader) {
        if (fault != null || readers.end(view, wait.committedOnly()) > wait.seenEnd()) {
            reader.wake();
        } else {
            readers.add(wait, reader);
        }
    }

    /** Moves the start of the log. @return the new start */
    long deleteRecordsBefore(long offset) {
        log.moveStartOffset(Math.min(offset, leader.highWatermark()));
        return log.startOffset();
    }

    void applyRetention(long nowMs) {
        log.rollIfDue(nowMs);
        log.applyRetention(nowMs, leader.highWatermark());
        log.deleteFilesDue(nowMs);
        log.expireProducers(nowMs);
        log.rest();
    }

    /** @return whether there is more to compact right now */
    boolean compactPiece(long nowMs) {
        log.deleteFilesDue(nowMs);
        return log.compact(nowMs, leader.highWatermark(), COMPACTION_PIECE_BYTES);
    }

    void settings(PartitionSettings changed) {
        settings = changed;
        log.updateSettings(changed.log());
    }

    /** Deals with everything that a batch of messages brought: storage, watermarks, acknowledgements, readers. */
    void settle() {
        if (fault != null) {
            appendWaits.fail(ErrorCode.KAFKA_STORAGE_ERROR);
            return;
        }
        if (!settings.forced()) {
            stored = log.endOffset();
        } else if (log.endOffset() > stored && !forcing) {
            forcing = true;
            forcer.force(this, log.beginForce());
        }
        leader.stored(stored);
        publish();
        appendWaits.complete(stored, leader.highWatermark());
        committed.accept(leader.highWatermark());
        readers.wake(view);
    }

    /** What came behind the forced offset meanwhile is forced next, all of it at once. */
    void forced(Forcing done) {
        forcing = false;
        log.completeForce(done);
        stored = Math.max(stored, Math.min(done.offset(), log.endOffset()));
    }

    private void publish() {
        long highWatermark = leader.highWatermark();
        long stable = Math.min(highWatermark, log.firstUnstableOffset(highWatermark));
        view = log.view(highWatermark, stable);
    }

    /**
     * The moment at which {@link #expireWaits} is to be called, told once; {@link Long#MAX_VALUE} when there is none
     * earlier than the one that was told.
     */
    long takeDeadlineMs() {
        long earliestMs = appendWaits.earliestDeadlineMs();
        if (earliestMs >= deadlineTakenMs) {
            return Long.MAX_VALUE;
        }
        deadlineTakenMs = earliestMs;
        return earliestMs;
    }

    /** Gives up on acknowledgements that the replicas have kept waiting for too long. */
    void expireWaits() {
        deadlineTakenMs = Long.MAX_VALUE;
        appendWaits.expire(clock.monotonicMs());
    }

    /** The log is in order after a failed write when the disk was merely full; otherwise nothing can be promised. */
    private String failed(DiskException e) {
        if (e.kind() != DiskException.Kind.FULL) {
            goOffline(e);
        }
        return e.getMessage();
    }

    void goOffline(DiskException e) {
        fault = e;
        appendWaits.fail(ErrorCode.KAFKA_STORAGE_ERROR);
        gate.close(ErrorCode.KAFKA_STORAGE_ERROR);
        LOG.error("{} goes offline: {}; repair the disk and restart the broker", name(), e.getMessage());
    }

    /** Whether the disk failed under this partition. */
    public boolean offline() {
        return fault != null;
    }

    /** Ends everything that waits; the log stays open. */
    void leave(ErrorCode why) {
        appendWaits.fail(why);
        gate.close(why);
        readers.wakeAll();
    }

    /** Runs a force elsewhere; {@link #forced} or {@link #goOffline} is called on the shard when it has ended. */
    interface Forcer {
        void force(Partition partition, Forcing forcing);
    }

    /** What of a topic's settings matters here. */
    public record PartitionSettings(LogSettings log, int minInSync, boolean forced) {}
}
