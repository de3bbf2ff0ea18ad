package io.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.BatchBuilder;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.settings.TopicSettings;
import io.millrace.simulator.client.AdminRequests;
import io.millrace.simulator.client.Client;
import io.millrace.simulator.client.Requests;
import io.millrace.simulator.cluster.Broker;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.junit.jupiter.api.Test;

/** A transaction is open on a partition for long. */
class HangingTransactionsTest {
    private static final TopicPartition PARTITION = ClusterFixture.PARTITION;
    private static final String ID = "tx";
    private static final int LONGEST_MS = 900_000;
    private static final long LOOK_EVERY_MS = 60_000;

    /** Two looks at it, when it is no longer too young. */
    private static final long FOUND_MS = 4 * LOOK_EVERY_MS;

    private final ClusterFixture fixture = new ClusterFixture(Map.of(
            "default.replication.factor", "3",
            "min.insync.replicas", "2",
            "transaction.state.log.num.partitions", "1",
            "log.retention.ms", "-1",
            "log.retention.check.interval.ms", String.valueOf(LOOK_EVERY_MS)));
    private final Client client = fixture.client;

    private void openTransaction() {
        AtomicLong producer = new AtomicLong();
        fixture.done(() -> client.askCoordinator(
                        Requests.Kind.TRANSACTION,
                        ID,
                        Requests.init(ID, LONGEST_MS),
                        Requests.INIT,
                        InitProducerIdResponseData.class)
                .thenAccept(answer -> {
                    client.check("init", answer.errorCode());
                    producer.set(answer.producerId());
                }));
        fixture.append(
                ID,
                new BatchBuilder()
                        .producer(producer.get(), (short) 0, 0)
                        .transactional()
                        .add(0, null, new byte[1])
                        .build());
    }

    private long lastStableOffset() {
        AtomicLong offset = new AtomicLong();
        fixture.done(() -> client.askLeader(
                        PARTITION,
                        () -> Requests.fetch(
                                PARTITION, client.leaderEpoch(PARTITION), 0, IsolationLevel.READ_COMMITTED, 0),
                        Requests.FETCH,
                        FetchResponseData.class)
                .thenAccept(answer -> {
                    FetchResponseData.PartitionData data =
                            answer.responses().get(0).partitions().get(0);
                    client.check("fetch", data.errorCode());
                    offset.set(data.lastStableOffset());
                }));
        return offset.get();
    }

    private int coordinator() {
        return fixture.cluster
                .metadata()
                .newest()
                .partition(TopicImage.TRANSACTIONS, 0)
                .leader();
    }

    @Test
    void one_that_a_coordinator_elsewhere_knows_stays_open() {
        fixture.createTopic(3);
        openTransaction();
        assertThat(coordinator()).isNotEqualTo(fixture.partition().leader());

        fixture.world.runFor(FOUND_MS);

        assertThat(lastStableOffset()).isZero();
    }

    @Test
    void one_that_power_cuts_took_from_its_coordinators_is_aborted() {
        fixture.createTopic(3);
        fixture.change(AdminRequests.change(List.of(
                AdminRequests.set(ConfigResource.Type.TOPIC, PARTITION.topic(), "force", TopicSettings.FLUSH_POLICY))));
        openTransaction();

        fixture.cluster.brokers().forEach(broker -> {
            broker.kill();
            broker.machine().disk().crash();
        });
        fixture.cluster.brokers().forEach(Broker::start);
        fixture.until(fixture.cluster::isWhole);
        assertThat(lastStableOffset()).isZero();
        fixture.world.runFor(FOUND_MS);

        assertThat(lastStableOffset()).isEqualTo(2);
    }
}
