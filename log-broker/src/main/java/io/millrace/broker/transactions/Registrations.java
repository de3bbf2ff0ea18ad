package io.millrace.broker.transactions;

import io.millrace.broker.coordination.Coordinators;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.partition.Produce;
import io.millrace.broker.partition.Registrar;
import io.millrace.broker.peers.PeerTransactions;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.txn.ProducerIdentity;
import io.millrace.txn.TxnCommand;
import io.millrace.txn.TxnPartition;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;

/** Asks the coordinator of a transaction, here or on another broker, whether it may write to a partition. */
public final class Registrations implements Registrar {
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
                                ? new TxnCommand.Join(transactionalId, who, one, reply)
                                : new TxnCommand.Verify(transactionalId, who, one, reply))
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
