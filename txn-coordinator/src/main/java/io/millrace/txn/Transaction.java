package io.millrace.txn;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The state of a transactional id.
 *
 * @param current who may write now, or as soon as the end that is under way is complete
 * @param previous what the same producer was called before its last end; null when somebody else was
 * @param marker how the end that is under way is signed; null when none is
 * @param partitions the partitions of the open transaction, or those whose markers are being written
 * @param startedMs when the open transaction began; -1 for none
 * @param timedOut whether the last end was an abort because the producer took too long
 */
public record Transaction(
        String id,
        ProducerIdentity current,
        ProducerIdentity previous,
        TxnMarker marker,
        int timeoutMs,
        TxnStatus status,
        SortedSet<TxnPartition> partitions,
        long startedMs,
        long updatedMs,
        boolean timedOut) {

    public Transaction {
        partitions = Collections.unmodifiableSortedSet(new TreeSet<>(partitions));
    }

    /** A new instance of the producer takes over, with nothing open. */
    static Transaction begun(
            String id, ProducerIdentity current, ProducerIdentity previous, int timeoutMs, long nowMs) {
        return new Transaction(
                id,
                current,
                previous,
                null,
                timeoutMs,
                TxnStatus.EMPTY,
                Collections.emptySortedSet(),
                -1,
                nowMs,
                false);
    }

    /** Partitions join; the first ones open the transaction. */
    Transaction joined(SortedSet<TxnPartition> more, long nowMs) {
        SortedSet<TxnPartition> all = new TreeSet<>(status == TxnStatus.ONGOING ? partitions : more);
        all.addAll(more);
        long startMs = status == TxnStatus.ONGOING ? startedMs : nowMs;
        return new Transaction(id, current, previous, null, timeoutMs, TxnStatus.ONGOING, all, startMs, nowMs, false);
    }

    /** The end is decided; {@code next} is who may write after it. */
    Transaction ending(
            boolean commit, ProducerIdentity next, ProducerIdentity before, TxnMarker markers, Why why, long nowMs) {
        return new Transaction(
                id,
                next,
                before,
                markers,
                timeoutMs,
                TxnStatus.prepare(commit),
                partitions,
                startedMs,
                nowMs,
                why == Why.TIMEOUT);
    }

    /** Everybody knows of the end. */
    Transaction ended(long nowMs) {
        return new Transaction(
                id,
                current,
                previous,
                null,
                timeoutMs,
                TxnStatus.complete(status == TxnStatus.PREPARE_COMMIT),
                Collections.emptySortedSet(),
                -1,
                nowMs,
                timedOut);
    }

    /** An end of a transaction in which nothing happened: only the identity moves on. */
    Transaction endedEmpty(boolean commit, ProducerIdentity next, long nowMs) {
        return new Transaction(
                id,
                next,
                current,
                null,
                timeoutMs,
                TxnStatus.complete(commit),
                Collections.emptySortedSet(),
                -1,
                nowMs,
                false);
    }

    /** Who has written what is open or about to end; {@link #current} where nothing is. */
    public long writerId() {
        return status.finishing() ? marker.identity().producerId() : current.producerId();
    }

    /** Whether the state's end, decided or complete, was a commit. */
    boolean committed() {
        return status == TxnStatus.PREPARE_COMMIT || status == TxnStatus.COMPLETE_COMMIT;
    }

    /** Why a transaction ends. */
    enum Why {
        ASKED,
        TIMEOUT,
        REPLACED
    }
}
