package io.millrace.broker;

import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.Controller;
import io.millrace.broker.metadata.ControllerMachine;
import io.millrace.broker.metadata.ControllerTimes;
import io.millrace.broker.metadata.TopicDefaults;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.partition.DataFolder;
import io.millrace.broker.peers.BrokerLife;
import io.millrace.broker.peers.ControllerLine;
import io.millrace.broker.peers.DeathWatch;
import io.millrace.broker.peers.Peers;
import io.millrace.broker.settings.Values;
import io.millrace.kernel.DiskException;
import io.millrace.kernel.Host;
import io.millrace.kernel.Timers;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A broker as a member of its cluster: the metadata it follows, the way to the other members, and its own standing. */
final class Membership implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
    /** Twice the pause that clients make by default before they ask again. */
    private static final long FAREWELL_MS = 200;

    private static final long HAND_OVER_PATIENCE_MS = 10_000;

    private final Controller controller;
    private final Peers peers;
    private final ControllerLine line;
    private final BrokerLife life;
    private final DeathWatch deathWatch;
    private final DataFolder folder;
    private final int self;

    Membership(
            Host world,
            Values values,
            TopicDefaults defaults,
            DataFolder folder,
            BrokerLife.Self self,
            QuorumMaker quorums,
            Map<Integer, BrokerImage> voters) {
        this.folder = folder;
        this.self = self.id();
        ControllerTimes times = ControllerTimes.of(values);
        controller = Controller.start(
                world,
                self.clusterId(),
                state -> new ControllerMachine(
                        state, defaults, world.entropy(), times, world.clock().monotonicMs()),
                loop -> quorums.make(
                        world,
                        new QuorumMaker.Node(self.id(), self.clusterId(), folder.root(), folder.metadataLog()),
                        loop));
        peers = new Peers(world, self.id(), controller::image, voters);
        controller.follow(peers::follow);
        line = new ControllerLine(world, controller, peers, self.id());
        deathWatch = new DeathWatch(world, controller, peers, self.id());
        peers.onLost(broker -> deathWatch.lost(broker.id(), broker.epoch()));
        controller.onLeading(deathWatch::lookAtAll);
        life = new BrokerLife(world, controller, line, peers, self, folder.lastEpochWithoutLoss(), folder::registered);
    }

    Controller controller() {
        return controller;
    }

    Peers peers() {
        return peers;
    }

    ControllerLine line() {
        return line;
    }

    DeathWatch deathWatch() {
        return deathWatch;
    }

    BrokerLife life() {
        return life;
    }

    /**
     * Hears of the images in which this life of the broker is registered. In older ones it may seem to lead what it led
     * in an earlier life, in the same epoch, although it may have lost records since (I7). What it has of partitions that
     * it does not replicate any more is removed before that, for later images may give it one of them again.
     */
    void follow(Consumer<ClusterImage> listener) {
        life.known().thenRun(() -> {
            removeStrays();
            controller.follow(listener);
        });
    }

    private void removeStrays() {
        try {
            folder.removeStrays(partitionFolders(controller.image()));
        } catch (DiskException e) {
            LOG.warn("what is left over from deleted topics is removed at the next start: {}", e.getMessage());
        }
    }

    /** Joins the cluster; the answer comes when this broker may serve. */
    CompletableFuture<Void> join() {
        return life.start();
    }

    private Set<String> partitionFolders(ClusterImage image) {
        Set<String> folders = new HashSet<>();
        for (TopicImage topic : image.topics().values()) {
            topic.partitions().stream()
                    .filter(partition -> partition.isReplica(self))
                    .forEach(partition ->
                            folders.add(DataFolder.folderName(new TopicPartition(topic.name(), partition.index()))));
        }
        return folders;
    }

    /**
     * Lets others lead what this broker leads, the metadata first, if there are others; the answer comes a moment after
     * they do, or after a while. In that moment clients that were sent away ask again who leads, and they may ask this
     * broker.
     */
    CompletableFuture<Void> handOver() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (controller.image().unfenced().size() < 2) {
            done.complete(null);
            return done;
        }
        Timers.Timer patience = peers.after(HAND_OVER_PATIENCE_MS, () -> {
            if (done.complete(null)) {
                LOG.warn("node {} stops although it still leads partitions: the controller did not relieve it", self);
            }
        });
        // A controller hears of new leaders before they do: clients that it sent to them would come too early.
        controller
                .resign()
                .thenCompose(resigned -> life.handOver())
                .thenRun(() -> peers.after(FAREWELL_MS, () -> {
                    patience.cancel();
                    done.complete(null);
                }));
        return done;
    }

    @Override
    public void close() {
        life.close();
        peers.close();
        controller.close();
    }
}
