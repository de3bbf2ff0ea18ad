package io.millrace.broker.transactions;

import io.millrace.broker.coordination.CoordinatorUnavailable;
import io.millrace.broker.coordination.Coordinators;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.partition.Produce;
import io.millrace.broker.partition.Registrar;
import io.millrace.broker.peers.PeerTransactions;
import io.millrace.broker.peers.PeerUnavailable;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.txn.ProducerIdentity;
import io.millrace.txn.TxnCommand;
import io.millrace.txn.TxnPartition;
import java.util.EnumSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;

/**
 * Asks the coordinator of a transaction, here or on another broker, whether it may write to a partition. One that is lost
 * has a successor within moments, and one that finishes the last transaction is soon done, while a client that is refused
 * meanwhile comes back later each time: so it is asked again for a while, which is safe, as a registration may be asked for
 * twice.
 */
public final class Registrations implements Registrar {
    /**
     * How long one question waits for the end of the last transaction, in milliseconds. It is asked again; but those behind
     * it, about other transactions, must not wait for one that cannot be finished.
     */
    public static final long WAIT_MS = 50;

    private static final int TRIES = 25;
    private static final long AGAIN_MS = 40;
    private static final Set<ErrorCode> PASSES = EnumSet.of(
            ErrorCode.NOT_COORDINATOR,
            ErrorCode.COORDINATOR_NOT_AVAILABLE,
            ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
            ErrorCode.CONCURRENT_TRANSACTIONS);

    private final Coordinators<TxnCommand, ?, ?> transactions;
    private final PeerTransactions peers;
    private final Supplier<ClusterImage> image;
    private final int self;

    public Registrations(
            Coordinators<TxnCommand, ?, ?> transactions,
            PeerTransactions peers,
            Supplier<ClusterImage> image,
            int self) {
        this.transactions = transactions;
        this.peers = peers;
        this.image = image;
        this.self = self;
    }

    @Override
    public CompletionStage<ErrorCode> register(
            Produce.Transaction transaction, long producerId, short producerEpoch, TopicPartition partition) {
        ProducerIdentity who = new ProducerIdentity(producerId, producerEpoch);
        return register(transaction.transactionalId(), who, transaction.joins(), partition)
                .thenApply(error -> transaction.joins() ? error : forOldProduce(error));
    }

    /** The same for the offsets of a group, by the partition of the offsets topic that holds them. */
    public CompletionStage<ErrorCode> register(
            String transactionalId, ProducerIdentity who, boolean joins, TopicPartition partition) {
        CompletableFuture<ErrorCode> reply = new CompletableFuture<>();
        attempt(() -> once(transactionalId, who, joins, partition), TRIES, reply);
        return reply;
    }

    private void attempt(Supplier<CompletionStage<ErrorCode>> question, int left, CompletableFuture<ErrorCode> reply) {
        question.get().whenComplete((error, failure) -> {
            if (left > 1 && (failure == null ? PASSES.contains(error) : passes(failure))) {
                peers.after(AGAIN_MS, () -> attempt(question, left - 1, reply));
            } else if (failure == null) {
                reply.complete(error);
            } else {
                reply.completeExceptionally(failure);
            }
        });
    }

    private static boolean passes(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof PeerUnavailable || cause instanceof CoordinatorUnavailable;
    }

    private CompletionStage<ErrorCode> once(
            String transactionalId, ProducerIdentity who, boolean joins, TopicPartition partition) {
        TopicPartition responsible = transactions.responsible(transactionalId);
        PartitionImage place =
                responsible == null ? null : image.get().partition(responsible.topic(), responsible.partition());
        if (place != null && place.hasLeader() && place.leader() != self) {
            return peers.register(place.leader(), transactionalId, who.producerId(), who.epoch(), joins, partition);
        }
        return registerHere(transactionalId, who, joins, partition);
    }

    private CompletableFuture<ErrorCode> registerHere(
            String transactionalId, ProducerIdentity who, boolean joins, TopicPartition partition) {
        SortedSet<TxnPartition> one = new TreeSet<>();
        one.add(new TxnPartition(partition.topic(), partition.partition()));
        return transactions
                .<TxnCommand.Answer>ask(
                        transactionalId,
                        reply -> joins
                                ? new TxnCommand.Join(transactionalId, who, one, WAIT_MS, reply)
                                : new TxnCommand.Verify(transactionalId, who, one, WAIT_MS, reply))
                .thenApply(answer -> TxnErrors.code(answer.error()));
    }

    /** Clients from before transaction version 2 repeat a produce only for errors that a partition may answer. */
    private static ErrorCode forOldProduce(ErrorCode error) {
        return switch (error) {
            case CONCURRENT_TRANSACTIONS -> ErrorCode.NOT_ENOUGH_REPLICAS;
            case PRODUCER_FENCED, TRANSACTION_ABORTABLE -> ErrorCode.INVALID_PRODUCER_EPOCH;
            default -> error;
        };
    }
}
