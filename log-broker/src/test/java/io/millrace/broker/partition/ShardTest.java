package io.millrace.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.metadata.TopicDefaults;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.Host;
import io.millrace.kernel.sim.SimDisk;
import io.millrace.kernel.sim.SimWorld;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class ShardTest {
    private static final int SELF = 1;
    private static final Uuid TOPIC = new Uuid(1, 1);

    private final Host host = new SimWorld(1).host(new SimDisk());
    private final PartitionRegistry registry = new PartitionRegistry();
    private final Shard shard = new Shard(0, context());

    @Test
    void opens_no_partition_again_when_the_metadata_change_behind_its_stop() {
        shard.follow(image(2));
        assertThat(registry.all()).hasSize(2);

        assertThat(shard.stop()).isTrue();
        shard.follow(image(3));

        assertThat(registry.all()).isEmpty();
    }

    private ShardContext context() {
        Path root = Path.of("/data");
        host.disk().createFolders(root);
        DataFolder folder = new DataFolder(host.disk(), root);
        return new ShardContext(
                host,
                1,
                64,
                new TopicDefaults(SELF, Map.of()),
                folder,
                registry,
                new Checkpoints(host, folder),
                new Forces(host),
                (transaction, producerId, producerEpoch, partition) ->
                        CompletableFuture.completedFuture(ErrorCode.NONE),
                (partition, proposal) -> CompletableFuture.completedFuture(ErrorCode.NONE),
                () -> Contact.HELD,
                List.of(),
                () -> {});
    }

    private static ClusterImage image(int partitions) {
        List<PartitionImage> all = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            all.add(PartitionImage.created(i, List.of(SELF), List.of(SELF)));
        }
        return new ClusterImage(
                "cluster",
                Collections.emptyNavigableMap(),
                new TreeMap<>(Map.of("t", new TopicImage(TOPIC, "t", all, Map.of()))),
                Map.of(TOPIC, "t"),
                Collections.emptyNavigableMap());
    }
}
