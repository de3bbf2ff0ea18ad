package io.millrace.simulator.workload;

import io.millrace.simulator.checker.Ledger;
import io.millrace.simulator.client.Client;
import io.millrace.simulator.client.NoAnswer;
import io.millrace.simulator.client.Refused;
import io.millrace.simulator.client.Requests;
import io.millrace.simulator.client.Requests.Identity;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.protocol.Errors;

/** A producer of transactions in version 2 (KIP-890): each transaction has an epoch of its own. */
final class TransactionalProducer {
    private static final Set<Errors> END_OF_TRANSACTION = Set.of(
            Errors.INVALID_PRODUCER_EPOCH,
            Errors.PRODUCER_FENCED,
            Errors.INVALID_TXN_STATE,
            Errors.TRANSACTION_ABORTABLE,
            Errors.INVALID_PRODUCER_ID_MAPPING);

    private final Bench bench;
    private final String id;
    private final int timeoutMs;
    private final Map<TopicPartition, Integer> sequences = new TreeMap<>(Ledger.BY_NAME);
    private Identity identity;

    TransactionalProducer(Bench bench, String id, int timeoutMs) {
        this.bench = bench;
        this.id = id;
        this.timeoutMs = timeoutMs;
    }

    /** Whether a failure says no more than that the transaction is over, or that nobody knows. */
    static boolean hasEnded(Throwable failure) {
        Throwable cause = Client.cause(failure);
        return cause instanceof NoAnswer
                || (cause instanceof Refused refused && END_OF_TRANSACTION.contains(refused.error()));
    }

    String id() {
        return id;
    }

    Identity identity() {
        return identity;
    }

    CompletableFuture<Identity> init() {
        return bench.init(id, timeoutMs).thenApply(given -> {
            become(given);
            return given;
        });
    }

    private void become(Identity given) {
        identity = given;
        sequences.clear();
    }

    int nextSequence(TopicPartition partition) {
        return sequences.getOrDefault(partition, 0);
    }

    /** Sends one batch; the next one to the partition must wait for its answer. */
    CompletableFuture<Long> append(TopicPartition partition, List<String> values) {
        int sequence = sequences.merge(partition, values.size(), Integer::sum) - values.size();
        ByteBuffer batch = Bench.batch(identity, true, sequence, values);
        return bench.client().insist(() -> bench.append(partition, id, batch));
    }

    CompletableFuture<Identity> end(boolean commit) {
        Identity now = identity;
        return bench.client()
                .insist(() -> bench.client()
                        .askCoordinator(
                                Requests.Kind.TRANSACTION,
                                id,
                                Requests.end(id, now, commit),
                                Requests.END_TXN,
                                EndTxnResponseData.class)
                        .thenApply(answer -> {
                            bench.client().check("end of " + id, answer.errorCode());
                            return new Identity(answer.producerId(), answer.producerEpoch());
                        }))
                .thenApply(given -> {
                    become(given);
                    return given;
                });
    }
}
