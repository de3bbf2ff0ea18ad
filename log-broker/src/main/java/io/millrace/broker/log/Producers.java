package io.millrace.broker.log;

import io.millrace.broker.log.Appended.Duplicate;
import io.millrace.broker.log.Appended.Refused;
import io.millrace.broker.log.ProducerEntry.Batch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who has written to this log, up to which sequence, and which transactions are open: what makes a repeated batch be
 * recognised and a missing one be missed (KIP-98). It does not depend on what the log still holds.
 *
 * <p>{@link #check} decides and changes nothing, {@link #apply} changes and refuses nothing; a leader calls both, a
 * follower and a recovery only the second.
 */
final class Producers {
    /** The one silent for longest comes first. */
    private final Map<Long, ProducerEntry> entries = new LinkedHashMap<>(16, 0.75f, true);

    private final Transactions transactions = new Transactions();

    /** Whether somebody who has written here may be unknown: expired, or before a restart. */
    private boolean mayHaveForgotten = true;

    /** An answer for the sender where a batch must not be appended; null where it may. */
    Appended check(RecordBatch batch, Origin origin) {
        ProducerEntry entry = batch.hasProducerId() ? entries.get(batch.producerId()) : null;
        if (entry == null) {
            return origin == Origin.CLIENT ? checkFirst(batch) : null;
        }
        if (batch.producerEpoch() < entry.epoch) {
            return refusedEpoch(batch.producerId(), batch.producerEpoch(), entry.epoch);
        }
        if (origin == Origin.CLIENT) {
            Appended answer = checkSequence(batch, entry);
            if (answer != null) {
                return answer;
            }
        }
        return entry.hasOpenTransaction() ? checkTransaction(batch, entry) : null;
    }

    /**
     * An unknown producer has written nothing here if everybody who has is known; then a batch that is not its first one
     * has overtaken the first, which a partition that was not open yet has refused.
     */
    private Refused checkFirst(RecordBatch batch) {
        return mayHaveForgotten || batch.baseSequence() <= 0
                ? null
                : new Refused(
                        Refusal.OUT_OF_ORDER_SEQUENCE,
                        "producer " + batch.producerId() + " has written nothing here and sent sequence "
                                + batch.baseSequence() + " first");
    }

    private static Refused refusedEpoch(long producerId, short found, short current) {
        return new Refused(
                Refusal.INVALID_PRODUCER_EPOCH,
                "producer " + producerId + " is at epoch " + current + ", this comes from epoch " + found);
    }

    private static Appended checkSequence(RecordBatch batch, ProducerEntry entry) {
        boolean sameEpoch = batch.producerEpoch() == entry.epoch;
        Batch repeated = sameEpoch ? entry.repeated(batch) : null;
        if (repeated != null) {
            return new Duplicate(repeated.baseOffset(), repeated.lastOffset(), repeated.timestamp());
        }
        boolean inOrder = sameEpoch ? entry.isNext(batch.baseSequence()) : batch.baseSequence() == 0;
        return inOrder
                ? null
                : new Refused(
                        Refusal.OUT_OF_ORDER_SEQUENCE,
                        "producer " + batch.producerId() + " sent sequence " + batch.baseSequence() + " of epoch "
                                + batch.producerEpoch() + " behind sequence " + entry.lastSequence() + " of epoch "
                                + entry.epoch);
    }

    private static Refused checkTransaction(RecordBatch batch, ProducerEntry entry) {
        if (batch.transactional() && batch.producerEpoch() == entry.epoch) {
            return null;
        }
        return new Refused(
                Refusal.INVALID_TXN_STATE,
                "producer " + entry.producerId + " has a transaction of epoch " + entry.epoch + " open since offset "
                        + entry.transactionFirstOffset + "; this batch is not part of it");
    }

    /** Why a marker must not be appended; null where it may. */
    Refused refuse(TransactionMarker marker) {
        ProducerEntry entry = entries.get(marker.producerId());
        if (entry == null) {
            return null;
        }
        if (marker.coordinatorEpoch() < entry.coordinatorEpoch) {
            return new Refused(
                    Refusal.TRANSACTION_COORDINATOR_FENCED,
                    "a coordinator of epoch " + entry.coordinatorEpoch + " has taken over from epoch "
                            + marker.coordinatorEpoch());
        }
        return marker.epoch() < entry.epoch ? refusedEpoch(marker.producerId(), marker.epoch(), entry.epoch) : null;
    }

    /**
     * Whether a marker would change nothing: the transaction it ends has its marker already. What is open then is a later
     * transaction, which must not be touched.
     */
    boolean isRepeated(TransactionMarker marker) {
        ProducerEntry entry = entries.get(marker.producerId());
        return entry != null && marker.epoch() == entry.epoch && (marker.raisesEpoch() || !entry.hasOpenTransaction());
    }

    /** Takes in a batch that is in the log; returns the transaction it aborts, where it does. */
    Optional<AbortedIndex.Entry> apply(RecordBatch batch, Optional<TransactionMarker> marker, long nowMs) {
        if (!batch.hasProducerId() || (batch.control() && marker.isEmpty())) {
            return Optional.empty();
        }
        ProducerEntry entry =
                entries.computeIfAbsent(batch.producerId(), id -> new ProducerEntry(id, batch.producerEpoch()));
        entry.lastSeenMs = nowMs;
        entry.enter(batch.producerEpoch());
        if (marker.isPresent()) {
            return end(entry, marker.get(), batch);
        }
        if (batch.baseSequence() >= 0) {
            entry.remember(
                    new Batch(batch.lastSequence(), batch.lastOffset(), batch.lastOffsetDelta(), batch.maxTimestamp()));
        }
        if (batch.transactional() && !entry.hasOpenTransaction()) {
            entry.transactionFirstOffset = batch.baseOffset();
            entry.transactionOpenedMs = nowMs;
            transactions.opened(batch.baseOffset());
        }
        return Optional.empty();
    }

    private Optional<AbortedIndex.Entry> end(ProducerEntry entry, TransactionMarker marker, RecordBatch batch) {
        entry.coordinatorEpoch = marker.coordinatorEpoch();
        entry.lastTimestamp = batch.maxTimestamp();
        if (!entry.hasOpenTransaction()) {
            return Optional.empty();
        }
        long firstOffset = entry.transactionFirstOffset;
        long markerOffset = batch.lastOffset();
        entry.transactionFirstOffset = -1;
        entry.transactionOpenedMs = -1;
        transactions.ended(firstOffset, markerOffset);
        if (marker.commit()) {
            return Optional.empty();
        }
        long stable = transactions.firstOpenOr(markerOffset + 1);
        return Optional.of(new AbortedIndex.Entry(entry.producerId, firstOffset, markerOffset, stable));
    }

    long firstUnstable(long highWatermark) {
        return transactions.firstUnstable(highWatermark);
    }

    boolean hasOpenTransaction(long producerId, short epoch) {
        ProducerEntry entry = entries.get(producerId);
        return entry != null && entry.hasOpenTransaction() && entry.epoch == epoch;
    }

    Optional<ProducerState> state(long producerId) {
        return Optional.ofNullable(entries.get(producerId)).map(ProducerEntry::state);
    }

    Collection<ProducerState> states() {
        return entries.values().stream().map(ProducerEntry::state).toList();
    }

    List<OpenTransaction> openTransactions() {
        return entries.values().stream()
                .filter(ProducerEntry::hasOpenTransaction)
                .map(entry -> new OpenTransaction(
                        entry.producerId, entry.epoch, entry.transactionFirstOffset, entry.transactionOpenedMs))
                .toList();
    }

    /** The last offset of each producer's last batch, by producer. */
    Map<Long, Long> lastOffsets() {
        Map<Long, Long> offsets = new LinkedHashMap<>();
        for (ProducerEntry entry : entries.values()) {
            if (!entry.batches().isEmpty()) {
                offsets.put(
                        entry.producerId,
                        entry.batches().get(entry.batches().size() - 1).lastOffset());
            }
        }
        return offsets;
    }

    /** Forgets who has been silent for long, and the longest silent of too many; never one with an open transaction. */
    int expire(long silentSinceMs, int maxEntries) {
        int before = entries.size();
        Iterator<ProducerEntry> oldestFirst = entries.values().iterator();
        while (oldestFirst.hasNext()) {
            ProducerEntry entry = oldestFirst.next();
            boolean silent = entry.lastSeenMs <= silentSinceMs;
            if (!silent && entries.size() <= maxEntries) {
                break;
            }
            if (!entry.hasOpenTransaction()) {
                oldestFirst.remove();
            }
        }
        int forgotten = before - entries.size();
        mayHaveForgotten |= forgotten > 0;
        return forgotten;
    }

    /** All entries, the one silent for longest first. */
    List<ProducerEntry> entries() {
        return new ArrayList<>(entries.values());
    }

    int count() {
        return entries.size();
    }

    /** Nobody has written to this log yet. */
    void nobodyYet() {
        mayHaveForgotten = false;
    }

    /** Forgets everything and takes over what a snapshot held. */
    void reset(List<ProducerEntry> restored, long nowMs) {
        mayHaveForgotten = true;
        entries.clear();
        transactions.clear();
        for (ProducerEntry entry : restored) {
            entry.lastSeenMs = nowMs;
            entries.put(entry.producerId, entry);
            if (entry.hasOpenTransaction()) {
                entry.transactionOpenedMs = nowMs;
                transactions.opened(entry.transactionFirstOffset);
            }
        }
    }
}
