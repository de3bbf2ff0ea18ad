package io.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.BatchBuilder;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.kernel.sim.SimDisk;
import io.millrace.kernel.sim.SimWorld;
import io.millrace.simulator.client.AdminRequests;
import io.millrace.simulator.client.Client;
import io.millrace.simulator.client.Requests;
import io.millrace.simulator.cluster.Broker;
import io.millrace.simulator.cluster.Cluster;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ProduceResponseData;

/** Three brokers in virtual time without a nemesis, a client, and the words in which tests speak of them. */
final class ClusterFixture {
    static final TopicPartition PARTITION = new TopicPartition("t", 0);

    private static final long SEED = 1;
    private static final long LIMIT_MS = 60_000;
    private static final short ALL = -1;

    final SimWorld world = new SimWorld(SEED);
    final Cluster cluster;
    final Client client;

    /** Starts them. */
    ClusterFixture(Map<String, String> settings) {
        cluster = new Cluster(world, new SplittableRandom(SEED), 3, settings);
        client = new Client(
                world.machine("c1", new SimDisk()),
                cluster.brokers().stream()
                        .collect(Collectors.toMap(
                                Broker::id, broker -> broker.machine().name())),
                Broker.PORT);
        cluster.start();
        until(cluster::isWhole);
    }

    void until(BooleanSupplier condition) {
        assertThat(world.runUntil(condition, LIMIT_MS)).isTrue();
    }

    /** Asks until it is done. */
    void done(Supplier<CompletableFuture<Void>> request) {
        CompletableFuture<Void> answer = client.insist(request);
        until(answer::isDone);
        answer.join();
    }

    void createTopic(int replicas) {
        done(() -> client.call(
                        client.anyBroker(),
                        Requests.createTopic(PARTITION.topic(), 1, replicas),
                        Requests.CREATE_TOPICS,
                        CreateTopicsResponseData.class)
                .thenAccept(answer -> client.check(
                        "create", answer.topics().find(PARTITION.topic()).errorCode())));
    }

    void change(IncrementalAlterConfigsRequestData request) {
        done(() -> client.call(
                        client.anyBroker(), request, AdminRequests.SET, IncrementalAlterConfigsResponseData.class)
                .thenAccept(answer ->
                        answer.responses().forEach(one -> client.check("change of settings", one.errorCode()))));
    }

    void append(int sizeBytes) {
        append(null, new BatchBuilder().add(0, null, new byte[sizeBytes]).build());
    }

    /** @param transactionalId null for none */
    void append(String transactionalId, ByteBuffer batch) {
        done(() -> client.askLeader(
                        PARTITION,
                        () -> Requests.produce(PARTITION, transactionalId, batch, ALL),
                        Requests.PRODUCE,
                        ProduceResponseData.class)
                .thenAccept(answer -> client.check(
                        "append",
                        answer.responses()
                                .iterator()
                                .next()
                                .partitionResponses()
                                .get(0)
                                .errorCode())));
    }

    /** The coordinator of {@code tx} knows it from now on. */
    void makeTransactionalId() {
        done(() -> client.askCoordinator(
                        Requests.Kind.TRANSACTION,
                        "tx",
                        Requests.init("tx", 60_000),
                        Requests.INIT,
                        InitProducerIdResponseData.class)
                .thenAccept(answer -> client.check("init", answer.errorCode())));
    }

    /** From the other brokers, not from clients. */
    void cutOff(int broker) {
        deafen(broker);
        others(broker).forEach(other -> world.network().cut(machine(broker), machine(other)));
    }

    /** The other brokers still hear it, and it hears clients. */
    void deafen(int broker) {
        others(broker).forEach(other -> world.network().cut(machine(other), machine(broker)));
    }

    private List<Integer> others(int broker) {
        return cluster.brokers().stream()
                .map(Broker::id)
                .filter(id -> id != broker)
                .toList();
    }

    private String machine(int broker) {
        return cluster.brokers().get(broker - 1).machine().name();
    }

    Broker controller() {
        return cluster.brokers().get(cluster.agreement().leader() - 1);
    }

    Broker otherThanController() {
        return cluster.brokers().get(controller().id() % cluster.brokers().size());
    }

    PartitionImage partition() {
        return cluster.metadata().newest().partition(PARTITION.topic(), PARTITION.partition());
    }

    boolean isFenced(int broker) {
        return cluster.metadata().newest().broker(broker).fenced();
    }
}
