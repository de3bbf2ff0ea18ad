package io.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.BatchBuilder;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.kernel.sim.SimDisk;
import io.millrace.kernel.sim.SimWorld;
import io.millrace.simulator.client.Client;
import io.millrace.simulator.client.Requests;
import io.millrace.simulator.cluster.Broker;
import io.millrace.simulator.cluster.Cluster;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.junit.jupiter.api.Test;

/** A broker goes on, but nothing can be written to its disk, or read from it, any more. */
class FailedDiskTest {
    private static final long SEED = 1;
    private static final long LIMIT_MS = 60_000;
    private static final short ALL = -1;
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);

    private final SimWorld world = new SimWorld(SEED);
    private final Cluster cluster = new Cluster(
            world,
            new SplittableRandom(SEED),
            3,
            Map.of("default.replication.factor", "3", "min.insync.replicas", "2"));
    private final Client client = new Client(
            world.machine("c1", new SimDisk()),
            cluster.brokers().stream()
                    .collect(Collectors.toMap(
                            Broker::id, broker -> broker.machine().name())),
            Broker.PORT);

    private void until(BooleanSupplier condition) {
        assertThat(world.runUntil(condition, LIMIT_MS)).isTrue();
    }

    private CompletableFuture<Void> create() {
        return client.insist(() -> client.call(
                        client.anyBroker(),
                        Requests.createTopic(PARTITION.topic(), 1, 3),
                        Requests.CREATE_TOPICS,
                        CreateTopicsResponseData.class)
                .thenAccept(answer -> client.check(
                        "create", answer.topics().find(PARTITION.topic()).errorCode())));
    }

    private CompletableFuture<Void> append() {
        return client.insist(() -> client.askLeader(
                        PARTITION,
                        () -> Requests.produce(
                                PARTITION,
                                null,
                                new BatchBuilder().add(0, null, new byte[1]).build(),
                                ALL),
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

    private PartitionImage partition() {
        return cluster.metadata().newest().partition(PARTITION.topic(), PARTITION.partition());
    }

    @Test
    void it_is_fenced_and_others_lead_what_it_led() {
        cluster.start();
        until(cluster::isWhole);
        CompletableFuture<Void> created = create();
        until(() -> created.isDone() && cluster.isWhole());
        CompletableFuture<Void> before = append();
        until(before::isDone);
        int leader = partition().leader();

        cluster.brokers().get(leader - 1).machine().disk().broken(true);
        CompletableFuture<Void> after = append();
        until(after::isDone);

        assertThat(after).isCompleted();
        assertThat(partition().leader()).isNotEqualTo(leader);
        assertThat(cluster.metadata().newest().broker(leader).fenced()).isTrue();
    }
}
