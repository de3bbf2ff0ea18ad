package io.millrace.broker.coordination;

import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.partition.Guest;
import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.Shard;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.Host;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;

/** The coordinators of one kind on this broker, and the way to them from any thread. */
public final class Coordinators<C, E, F> implements Guest {
    private final MachineKind<C, E, F> kind;
    private final Host world;
    private final Supplier<ClusterImage> image;
    private final ConcurrentMap<TopicPartition, HostedCoordinator<C, E, F>> here = new ConcurrentHashMap<>();

    public Coordinators(MachineKind<C, E, F> kind, Host world, Supplier<ClusterImage> image) {
        this.kind = kind;
        this.world = world;
        this.image = image;
    }

    @Override
    public void leading(Partition partition, Shard shard) {
        if (partition.name().topic().equals(kind.topic())) {
            HostedCoordinator<C, E, F> coordinator = new HostedCoordinator<>(kind, partition, shard, world);
            here.put(partition.name(), coordinator);
            coordinator.load();
        }
    }

    @Override
    public void leaving(Partition partition) {
        HostedCoordinator<C, E, F> gone = here.remove(partition.name());
        if (gone != null) {
            gone.close();
        }
    }

    /** Nobody waits for a coordinator that can promise nothing any more. */
    @Override
    public void look(Partition partition) {
        HostedCoordinator<C, E, F> coordinator = here.get(partition.name());
        if (coordinator != null && partition.leadsInNameAlone()) {
            coordinator.giveUpWaits();
        }
    }

    /** The partition whose coordinator is responsible for a key; null while the topic does not exist. */
    public TopicPartition responsible(String key) {
        TopicImage topic = image.get().topic(kind.topic());
        if (topic == null) {
            return null;
        }
        int partition =
                (key.hashCode() & Integer.MAX_VALUE) % topic.partitions().size();
        return new TopicPartition(kind.topic(), partition);
    }

    /** Asks the coordinator of a key; the answer fails with {@link CoordinatorUnavailable} where it is not here. */
    public <R> CompletableFuture<R> ask(String key, Function<CompletableFuture<R>, C> command) {
        TopicPartition partition = responsible(key);
        if (partition == null) {
            String message = kind.topic() + " does not exist yet; find the coordinator of " + key + " first";
            return CompletableFuture.failedFuture(
                    new CoordinatorUnavailable(ErrorCode.COORDINATOR_NOT_AVAILABLE, message));
        }
        return ask(partition, command);
    }

    /** Asks the coordinator on a partition. */
    public <R> CompletableFuture<R> ask(TopicPartition partition, Function<CompletableFuture<R>, C> command) {
        HostedCoordinator<C, E, F> coordinator = here.get(partition);
        if (coordinator == null) {
            return CompletableFuture.failedFuture(new CoordinatorUnavailable(
                    ErrorCode.NOT_COORDINATOR, "this broker does not coordinate " + partition));
        }
        CompletableFuture<R> reply = new CompletableFuture<>();
        coordinator.ask(command.apply(reply), reply);
        return reply;
    }

    /** Asks every coordinator on this broker. */
    public <R> List<CompletableFuture<R>> askAll(Function<CompletableFuture<R>, C> command) {
        Collection<TopicPartition> partitions = here.keySet().stream()
                .sorted((one, other) -> Integer.compare(one.partition(), other.partition()))
                .toList();
        return partitions.stream().map(partition -> ask(partition, command)).toList();
    }
}
