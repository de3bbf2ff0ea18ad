package io.millrace.broker.transactions;

import io.millrace.broker.coordination.Coordinators;
import io.millrace.broker.partition.Produce;
import io.millrace.broker.partition.Registrar;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.txn.ProducerIdentity;
import io.millrace.txn.TxnCommand;
import io.millrace.txn.TxnError;
import io.millrace.txn.TxnPartition;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.TopicPartition;

/** Asks the coordinator of a transaction whether it may write to a partition. */
public final class Registrations implements Registrar {
    private final Coordinators<TxnCommand, ?, ?> transactions;

    public Registrations(Coordinators<TxnCommand, ?, ?> transactions) {
        this.transactions = transactions;
    }

    @Override
    public CompletionStage<ErrorCode> register(
            Produce.Transaction transaction, long producerId, short producerEpoch, TopicPartition partition) {
        ProducerIdentity who = new ProducerIdentity(producerId, producerEpoch);
        return register(transaction.transactionalId(), who, transaction.joins(), partition)
                .thenApply(error -> forProduce(error, transaction.joins()));
    }

    /** The same for the offsets of a group, by the partition of the offsets topic that holds them. */
    public CompletionStage<TxnError> register(
            String transactionalId, ProducerIdentity who, boolean joins, TopicPartition partition) {
        SortedSet<TxnPartition> one = new TreeSet<>();
        one.add(new TxnPartition(partition.topic(), partition.partition()));
        return transactions
                .<TxnCommand.Answer>ask(
                        transactionalId,
                        reply -> joins
                                ? new TxnCommand.Join(transactionalId, who, one, reply)
                                : new TxnCommand.Verify(transactionalId, who, one, reply))
                .thenApply(TxnCommand.Answer::error);
    }

    /** Clients from before transaction version 2 repeat a produce only for errors that a partition may answer. */
    private static ErrorCode forProduce(TxnError error, boolean joins) {
        if (!joins && error == TxnError.STILL_FINISHING) {
            return ErrorCode.NOT_ENOUGH_REPLICAS;
        }
        return TxnErrors.code(error, joins, joins);
    }
}
