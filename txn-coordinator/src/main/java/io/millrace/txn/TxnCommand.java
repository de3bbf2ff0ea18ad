package io.millrace.txn;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;

/** What can be asked of the coordinator. Each command carries the future that its answer completes. */
public sealed interface TxnCommand {
    /** Waits for the end of the last transaction as long as {@link TxnSettings#parkMs} allows. */
    long PATIENT_MS = Long.MAX_VALUE;

    /** Where the answer goes. */
    CompletableFuture<?> reply();

    /** Commands about one transactional id, which wait while its last transaction is being finished. */
    sealed interface OfTransaction extends TxnCommand permits Init, Join, Verify, End {
        String id();

        /** How long it waits for that at most; never longer than {@link TxnSettings#parkMs}. */
        default long patienceMs() {
            return PATIENT_MS;
        }

        @Override
        CompletableFuture<Answer> reply();
    }

    /**
     * A producer starts or recovers.
     *
     * @param expected what the producer believes to be; null for a new instance (KIP-360)
     */
    record Init(String id, int timeoutMs, ProducerIdentity expected, CompletableFuture<Answer> reply)
            implements OfTransaction {}

    /** Partitions join the transaction, opening it if need be. */
    record Join(
            String id,
            ProducerIdentity who,
            SortedSet<TxnPartition> partitions,
            long patienceMs,
            CompletableFuture<Answer> reply)
            implements OfTransaction {}

    /** Are the partitions part of the open transaction? */
    record Verify(
            String id,
            ProducerIdentity who,
            SortedSet<TxnPartition> partitions,
            long patienceMs,
            CompletableFuture<Answer> reply)
            implements OfTransaction {}

    /**
     * Commit or abort.
     *
     * @param raisesEpoch whether the producer takes a new epoch with every transaction (transaction version 2)
     */
    record End(String id, ProducerIdentity who, boolean commit, boolean raisesEpoch, CompletableFuture<Answer> reply)
            implements OfTransaction {}

    /** Every partition has this marker. Sent by whoever writes markers; safe to repeat. */
    record MarkersWritten(String id, TxnMarker marker, CompletableFuture<Void> reply) implements TxnCommand {}

    /** The log has been replayed: ends that were under way are taken up again. */
    record Resume(CompletableFuture<Void> reply) implements TxnCommand {}

    record Describe(String id, CompletableFuture<Optional<Transaction>> reply) implements TxnCommand {}

    record ListAll(CompletableFuture<List<Transaction>> reply) implements TxnCommand {}

    /**
     * @param identity who the producer is now; null when refused
     * @param message says more to people; null when there is nothing more to say
     */
    record Answer(TxnError error, ProducerIdentity identity, String message) {
        static Answer ok(ProducerIdentity identity) {
            return new Answer(TxnError.NONE, identity, null);
        }

        static Answer refused(TxnError error, String message) {
            return new Answer(error, null, message);
        }
    }
}
