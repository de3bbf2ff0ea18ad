package io.millrace.simulator.workload;

import io.millrace.broker.log.BatchBuilder;
import io.millrace.simulator.checker.Ledger;
import io.millrace.simulator.client.Client;
import io.millrace.simulator.client.Requests;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;

/**
 * What a workload works with.
 *
 * @param acks whose word makes an acknowledgement; only that of all replicas is a promise
 * @param unexpected is told of what must not happen
 */
public record Bench(Client client, Ledger ledger, short acks, Consumer<Throwable> unexpected) {
    public static final short ALL_REPLICAS = -1;
    public static final short LEADER_ALONE = 1;

    private static final long TIMESTAMP_MS = 1_000_000_000_000L;

    <R> void then(CompletableFuture<R> answer, Consumer<R> task) {
        Client.then(answer, task, unexpected);
    }

    /** Runs a task in an answer, where a failure would be noticed by nobody. */
    void guard(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            unexpected.accept(e);
        }
    }

    /** One batch; not sequenced where the producer is null. */
    static ByteBuffer batch(Requests.Identity producer, boolean transactional, int sequence, List<String> values) {
        BatchBuilder batch = new BatchBuilder();
        if (producer != null) {
            batch.producer(producer.id(), producer.epoch(), sequence);
        }
        if (transactional) {
            batch.transactional();
        }
        values.forEach(value -> batch.add(TIMESTAMP_MS, null, value.getBytes(StandardCharsets.UTF_8)));
        return batch.build();
    }

    /** Sends a batch once. The answer is the offset of its first record. */
    CompletableFuture<Long> append(TopicPartition partition, String transactionalId, ByteBuffer batch) {
        return client.askLeader(
                        partition,
                        () -> Requests.produce(partition, transactionalId, batch, acks),
                        Requests.PRODUCE,
                        ProduceResponseData.class)
                .thenApply(answer -> {
                    PartitionProduceResponse one = answer.responses()
                            .iterator()
                            .next()
                            .partitionResponses()
                            .get(0);
                    client.check("append to " + partition, one.errorCode());
                    return one.baseOffset();
                });
    }

    /** Gets a producer id, insisting. */
    CompletableFuture<Requests.Identity> init(String transactionalId, int timeoutMs) {
        return client.insist(() -> {
            CompletableFuture<InitProducerIdResponseData> answer = transactionalId == null
                    ? client.call(
                            client.anyBroker(),
                            Requests.init(null, timeoutMs),
                            Requests.INIT,
                            InitProducerIdResponseData.class)
                    : client.askCoordinator(
                            Requests.Kind.TRANSACTION,
                            transactionalId,
                            Requests.init(transactionalId, timeoutMs),
                            Requests.INIT,
                            InitProducerIdResponseData.class);
            return answer.thenApply(done -> {
                client.check("init of " + transactionalId, done.errorCode());
                return new Requests.Identity(done.producerId(), done.producerEpoch());
            });
        });
    }

    void acknowledged(TopicPartition partition, long offset, List<String> values) {
        for (int i = 0; i < values.size(); i++) {
            ledger.acknowledged(partition, offset + i, values.get(i));
        }
    }

    static List<String> values(int count, IntFunction<String> value) {
        return IntStream.range(0, count).mapToObj(value).toList();
    }
}
