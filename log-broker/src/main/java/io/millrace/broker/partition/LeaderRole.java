package io.millrace.broker.partition;

import io.millrace.broker.log.Appended;
import io.millrace.broker.log.Origin;
import io.millrace.broker.log.PartitionLog;
import io.millrace.broker.log.RecordBatch;
import io.millrace.broker.replication.LeaderState;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.Clock;
import io.millrace.kernel.DiskException;
import java.nio.ByteBuffer;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a partition does while this broker leads it: takes in records and tells who waits for them. */
final class LeaderRole {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderRole.class);

    private final TopicPartition name;
    private final PartitionLog log;
    private final LeaderState state;
    private final TransactionGate gate;
    private final Clock clock;
    private final Function<DiskException, String> failed;
    private final AppendWaits appendWaits = new AppendWaits();
    private long deadlineTakenMs = Long.MAX_VALUE;

    /** @param failed what to do when a write has failed; answers what to tell who asked for it */
    LeaderRole(
            TopicPartition name,
            PartitionLog log,
            LeaderState state,
            TransactionGate gate,
            Clock clock,
            Function<DiskException, String> failed) {
        this.name = name;
        this.log = log;
        this.state = state;
        this.gate = gate;
        this.clock = clock;
        this.failed = failed;
    }

    LeaderState state() {
        return state;
    }

    /** @param minInSync how many in-sync replicas acks=all needs */
    void produce(Produce produce, int minInSync) {
        Produce.Reply refusal = refusal(produce, minInSync);
        if (refusal != null) {
            produce.reply().complete(refusal);
            return;
        }
        RecordBatch batch = first(produce);
        if (batch.transactional() && !log.hasOpenTransaction(batch.producerId(), batch.producerEpoch())) {
            gate.admit(produce, batch);
        } else {
            append(produce, minInSync);
        }
    }

    /** Why the batches cannot be taken, whatever is in them; null when they can. */
    private Produce.Reply refusal(Produce produce, int minInSync) {
        if (produce.allReplicas() && !state.enoughInSync(minInSync)) {
            return Produce.Reply.refused(
                    ErrorCode.NOT_ENOUGH_REPLICAS,
                    name + " has the in-sync replicas " + state.inSync() + ", and needs " + minInSync);
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

    private void append(Produce produce, int minInSync) {
        try {
            Appended appended =
                    log.appendAsLeader(produce.records(), state.leaderEpoch(), Origin.CLIENT, clock.wallMs());
            if (appended instanceof Appended.Refused refused) {
                produce.reply().complete(Produce.Reply.refused(Refusals.code(refused.reason()), refused.message()));
            } else if (appended instanceof Appended.Accepted accepted) {
                acknowledge(
                        produce, minInSync, accepted.firstOffset(), accepted.lastOffset(), accepted.logAppendTimeMs());
            } else if (appended instanceof Appended.Duplicate duplicate) {
                acknowledge(produce, minInSync, duplicate.firstOffset(), duplicate.lastOffset(), -1);
            }
        } catch (DiskException e) {
            produce.reply().complete(Produce.Reply.refused(ErrorCode.KAFKA_STORAGE_ERROR, failed.apply(e)));
        }
    }

    private void acknowledge(Produce produce, int minInSync, long first, long last, long appendTimeMs) {
        long deadlineMs = clock.monotonicMs() + produce.timeoutMs();
        appendWaits.add(new AppendWaits.Wait(last + 1, produce.allReplicas(), deadlineMs, error -> {
            boolean tooFew = error == ErrorCode.NONE && produce.allReplicas() && !state.enoughInSync(minInSync);
            ErrorCode answer = tooFew ? ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND : error;
            produce.reply()
                    .complete(
                            answer == ErrorCode.NONE
                                    ? new Produce.Reply(answer, null, first, appendTimeMs, log.startOffset())
                                    : Produce.Reply.refused(answer, null));
        }));
    }

    void registered(Registered answer, int minInSync) {
        gate.registered(answer, produce -> append(produce, minInSync));
    }

    void endTransaction(WriteMarker marker) {
        gate.ended(marker);
        try {
            Appended appended = log.endTransaction(marker.record(), state.leaderEpoch(), clock.wallMs());
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
                    name,
                    marker.record().producerId(),
                    failed.apply(e));
            marker.reply().complete(ErrorCode.KAFKA_STORAGE_ERROR);
        }
    }

    /** Appends a coordinator's events. @return the offset behind them */
    long appendEvents(ByteBuffer batch) {
        Appended appended = log.appendAsLeader(batch, state.leaderEpoch(), Origin.COORDINATOR, clock.wallMs());
        if (appended instanceof Appended.Refused refused) {
            throw new IllegalStateException(name + " refused its coordinator's events: " + refused.message());
        }
        return log.endOffset();
    }

    /** Tells those who wait for what is safe now. */
    void acknowledge(long stored) {
        appendWaits.complete(stored, state.highWatermark());
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

    /** Ends what waits for replicas. */
    void giveUpWaits(ErrorCode why) {
        appendWaits.fail(why);
    }

    /** Ends everything that waits. */
    void fail(ErrorCode why) {
        appendWaits.fail(why);
        gate.close(why);
    }
}
